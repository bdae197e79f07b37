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
  {
    title: 'npm start installs what is missing, and runs the script',
    lsStatus: '1',
    args: ['demo'],
    commands: ['ls', 'ci --no-audit --no-fund', 'run --silent demo'],
  },
  {
    title: 'npm start installs nothing if everything is there, and hands its arguments to the script',
    lsStatus: '0',
    args: ['try:run', '../a', '--dry-run'],
    commands: ['ls', 'run --silent try:run -- ../a --dry-run'],
  },
])('$title', async ({ lsStatus, args, commands }) => {
  await using project = await makeWorkspace({ 'npm.cjs': NPM, 'scripts/start.mjs': await readFile(START) });
  const env = { ...process.env, npm_execpath: path.join(project.path, 'npm.cjs'), LS_STATUS: lsStatus };
  await promisify(execFile)(process.execPath, [path.join(project.path, 'scripts/start.mjs'), ...args], { env });
  expect(await readFile(path.join(project.path, 'asked'), 'utf8')).toBe(`${commands.join('\n')}\n`);
});
