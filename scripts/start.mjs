// `npm start` and `npm run try` on a fresh clone: installs what is missing, then runs the npm script that is named first,
// with the other arguments. Plain JavaScript without packages: nothing may be installed yet, and Node may be old.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MIN_NODE = 24;

/** Starts npm as it was started: on Windows its name alone cannot be spawned without a shell. */
function npm(args, stdio) {
  const { npm_execpath: cli } = process.env;
  const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []];
  return spawnSync(command, [...first, ...args], { cwd: ROOT, stdio, encoding: 'utf8' });
}

/** Prints nothing more, unless it fails. Standard output belongs to the script that follows. */
function install() {
  console.error('Installing the packages (one to three minutes, once) …');
  const { status, stdout, stderr, error } = npm(['ci', '--no-audit', '--no-fund'], 'pipe');
  if (status === 0) return;
  console.error(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}\n"npm ci" failed.`);
  process.exit(1);
}

// Fails if a package is missing or has another version than package.json names.
const isInstalled = npm(['ls'], 'pipe').status === 0;
if (!isInstalled) install();

const hasPackagedNode = ['node', 'node.cmd'].some((name) => existsSync(path.join(ROOT, 'node_modules/.bin', name)));
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
