import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeWorkspace } from '../harness/workspace.ts';

const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
/** Records the commands that npm is given. */
const NPM = `require('node:fs').appendFileSync(__dirname + '/asked', process.argv.slice(2).join(' ') + '\\n');`;

type Packages = Readonly<Record<string, { readonly version: string; readonly optional?: true }>>;

const WANTED: Packages = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/for-another-system': { version: '2.0.0', optional: true },
};
const { '': _project, 'node_modules/for-another-system': _left, ...INSTALLED } = WANTED;
const DEMO = 'run --silent demo';
const INSTALL = 'ci --no-audit --no-fund';

describe('npm start', () => {
  it.each<[string, Packages | undefined, readonly string[]]>([
    ['installs on a fresh clone', undefined, [INSTALL, DEMO]],
    ['installs if a version differs', { 'node_modules/a': { version: '0.9.0' } }, [INSTALL, DEMO]],
    ['installs if a package is missing', {}, [INSTALL, DEMO]],
  ])('%s', async (_what, installed, asked) => {
    expect(await commands(installed, ['demo'])).toEqual(asked);
  });

  it('installs nothing if everything is there, and hands its arguments to the script', async () => {
    const given = await commands(INSTALLED, ['try:run', '../a', '--dry-run']);
    expect(given).toEqual(['run --silent try:run -- ../a --dry-run']);
  });
});

/** The commands that npm is given if these packages are installed. */
async function commands(installed: Packages | undefined, args: readonly string[]): Promise<readonly string[]> {
  await using project = await makeWorkspace({
    'package-lock.json': JSON.stringify({ packages: WANTED }),
    'dist/index.js': '',
    'npm.cjs': NPM,
    'scripts/start.mjs': await readFile(START),
    ...(installed && { 'node_modules/.package-lock.json': JSON.stringify({ packages: installed }) }),
  });
  const env = { ...process.env, npm_execpath: path.join(project.path, 'npm.cjs') };
  const start = path.join(project.path, 'scripts/start.mjs');
  await promisify(execFile)(process.execPath, [start, ...args], { env });
  return (await readFile(path.join(project.path, 'asked'), 'utf8')).trim().split('\n');
}
