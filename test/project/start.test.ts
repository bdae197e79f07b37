import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeWorkspace } from '../harness/workspace.ts';

const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
/** A fake npm that records its commands. `npm ls` exits with LS_STATUS. */
const NPM = `const [command] = process.argv.slice(2);
require('node:fs').appendFileSync(__dirname + '/asked', process.argv.slice(2).join(' ') + '\\n');
if (command === 'ls') process.exitCode = Number(process.env.LS_STATUS);`;

it.each([
  ['installs what is missing', '1', ['ls', 'ci --no-audit --no-fund', 'run --silent try:run -- ../a --dry-run']],
  ['installs nothing if everything is there', '0', ['ls', 'run --silent try:run -- ../a --dry-run']],
])('npm start %s, and hands its arguments to the script', async (_, lsStatus, commands) => {
  await using project = await makeWorkspace({ 'npm.cjs': NPM, 'scripts/start.mjs': await readFile(START) });
  const env = { ...process.env, npm_execpath: path.join(project.path, 'npm.cjs'), LS_STATUS: lsStatus };
  const args = [path.join(project.path, 'scripts/start.mjs'), 'try:run', '../a', '--dry-run'];
  await promisify(execFile)(process.execPath, args, { env });
  expect(await readFile(path.join(project.path, 'asked'), 'utf8')).toBe(`${commands.join('\n')}\n`);
});
