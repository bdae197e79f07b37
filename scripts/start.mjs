// `npm start` on a fresh clone: sets up what is missing, then runs the demo. Plain JavaScript without any package, since
// nothing may be installed yet and the Node that runs it may be an old one.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OLDEST_NODE = 24;

const at = (name) => path.join(ROOT, name);
const changed = (name) => (existsSync(at(name)) ? statSync(at(name)).mtimeMs : 0);

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

// npm writes this file at the end of each installation.
if (changed('node_modules/.package-lock.json') < changed('package-lock.json')) {
  step('Installing the packages (once)', ['ci', '--no-audit', '--no-fund']);
}
if (!existsSync(at('dist/index.js'))) step('Building dist/', ['run', 'build']);

const hasOwnNode = existsSync(at('node_modules/.bin/node')) || existsSync(at('node_modules/.bin/node.cmd'));
if (!hasOwnNode && Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `There is no packaged Node ${OLDEST_NODE} for ${process.platform}-${process.arch}, and this is Node ${process.versions.node}. Install Node ${OLDEST_NODE} and try again.`,
  );
  process.exit(1);
}
process.exit(npm(['run', '--silent', 'demo'], 'inherit').status ?? 1);
