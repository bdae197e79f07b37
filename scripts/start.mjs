// `npm start` and `npm run try` on a fresh clone: installs what is missing, then runs the npm script that is named first,
// with the other arguments. Plain JavaScript without packages: nothing may be installed yet, and Node may be old.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MIN_NODE = 24;

const at = (name) => path.join(ROOT, name);

/**
 * Whether npm's own record of what it installed matches the lock file. The age of the files says nothing: a fresh
 * checkout of the same lock file is younger than the installed packages.
 */
function isInstalled() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(at(record))) return false;
  const [wanted, present] = ['package-lock.json', record].map(
    (name) => JSON.parse(readFileSync(at(name), 'utf8')).packages,
  );
  // Optional packages for other platforms are not installed. The entry without a name is this project.
  const isPresent = ([name, { version, optional }]) =>
    name === '' || (present[name] ? present[name].version === version : optional === true);
  return Object.entries(wanted).every(isPresent);
}

/** Starts npm as it was started: on Windows its name alone cannot be spawned without a shell. */
function npm(args, stdio) {
  const { npm_execpath: cli } = process.env;
  const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []];
  return spawnSync(command, [...first, ...args], { cwd: ROOT, stdio, encoding: 'utf8' });
}

/** Prints only its title, unless it fails. Standard output belongs to the script that follows. */
function step(title, args) {
  console.error(`${title} …`);
  const { status, stdout, stderr, error } = npm(args, 'pipe');
  if (status === 0) return;
  console.error(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}\n"npm ${args.join(' ')}" failed.`);
  process.exit(1);
}

if (!isInstalled()) step('Installing the packages (about a minute, once)', ['ci', '--no-audit', '--no-fund']);
if (!existsSync(at('dist/index.js'))) step('Building dist/', ['run', 'build']);

const hasPackagedNode = existsSync(at('node_modules/.bin/node')) || existsSync(at('node_modules/.bin/node.cmd'));
if (!hasPackagedNode && Number(process.versions.node.split('.')[0]) < MIN_NODE) {
  console.error(
    `There is no packaged Node ${MIN_NODE} for ${process.platform}-${process.arch}, and this is Node ${process.versions.node}. Install Node ${MIN_NODE} and try again.`,
  );
  process.exit(1);
}
// The terminal sends Ctrl+C to every process. This one waits, so that the run can end in order.
process.on('SIGINT', () => {});
const [script, ...rest] = process.argv.slice(2);
process.exit(npm(['run', '--silent', script, ...(rest.length > 0 ? ['--', ...rest] : [])], 'inherit').status ?? 1);
