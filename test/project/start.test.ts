import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeWorkspace } from '../harness/workspace.ts';

const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
/** Records the commands that npm is given. `npm ls` fails if packages are missing. */
const NPM = `const [command] = process.argv.slice(2);
require('node:fs').appendFileSync(__dirname + '/asked', process.argv.slice(2).join(' ') + '\\n');
if (command === 'ls') process.exitCode = Number(process.env.LS_STATUS);`;

describe('npm start', () => {
  it('installs what is missing, and runs the script', async () => {
    expect(await commands('1', ['demo'])).toEqual(['ls', 'ci --no-audit --no-fund', 'run --silent demo']);
  });

  it('installs nothing if everything is there, and hands its arguments to the script', async () => {
    const given = await commands('0', ['try:run', '../a', '--dry-run']);
    expect(given).toEqual(['ls', 'run --silent try:run -- ../a --dry-run']);
  });
});

/** The commands that npm is given. */
async function commands(lsStatus: string, args: readonly string[]): Promise<readonly string[]> {
  await using project = await makeWorkspace({
    'npm.cjs': NPM,
    'scripts/start.mjs': await readFile(START),
  });
  const env = { ...process.env, npm_execpath: path.join(project.path, 'npm.cjs'), LS_STATUS: lsStatus };
  const start = path.join(project.path, 'scripts/start.mjs');
  await promisify(execFile)(process.execPath, [start, ...args], { env });
  return (await readFile(path.join(project.path, 'asked'), 'utf8')).trim().split('\n');
}
