// `npm start` on a fresh clone: sets up what is missing, then runs the demo. Plain JavaScript without any package, since
// nothing may be installed yet and the Node that runs it may be an old one.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OLDEST_NODE = 24;

const at = (name) => path.join(ROOT, name);

/**
 * Whether what npm has installed, by its own record, is what the lock file asks for. Not by the age of the files: a fresh
 * checkout of the same lock file is younger than what was installed by it.
 */
function isInstalled() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(at(record))) return false;
  const [wanted, present] = ['package-lock.json', record].map(
    (name) => JSON.parse(readFileSync(at(name), 'utf8')).packages,
  );
  // What is optional is left out where it does not fit the machine. The entry without a name is this project.
  const isThere = ([name, { version, optional }]) =>
    name === '' || (present[name] ? present[name].version === version : optional === true);
  return Object.entries(wanted).every(isThere);
}

/** npm, as it was started: on Windows its name alone cannot be started without a shell. */
function npm(args, stdio) {
  const { npm_execpath: cli } = process.env;
  const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []];
  return spawnSync(command, [...first, ...args], { cwd: ROOT, stdio, encoding: 'utf8' });
}

/** Says nothing but what it does, unless it fails. */
function step(title, args) {
  console.log(`${title} …`);
  const { status, stdout, stderr, error } = npm(args, 'pipe');
  if (status === 0) return;
  console.error(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}\n"npm ${args.join(' ')}" failed.`);
  process.exit(1);
}

if (!isInstalled()) step('Installing the packages (once)', ['ci', '--no-audit', '--no-fund']);
if (!existsSync(at('dist/index.js'))) step('Building dist/', ['run', 'build']);

const hasOwnNode = existsSync(at('node_modules/.bin/node')) || existsSync(at('node_modules/.bin/node.cmd'));
if (!hasOwnNode && Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `There is no packaged Node ${OLDEST_NODE} for ${process.platform}-${process.arch}, and this is Node ${process.versions.node}. Install Node ${OLDEST_NODE} and try again.`,
  );
  process.exit(1);
}
process.exit(npm(['run', '--silent', 'demo'], 'inherit').status ?? 1);
