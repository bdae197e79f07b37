import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

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
    ['installs nothing if everything is there, however old it is', INSTALLED, [DEMO]],
    ['installs if a version differs', { 'node_modules/a': { version: '0.9.0' } }, [INSTALL, DEMO]],
    ['installs if a package is missing', {}, [INSTALL, DEMO]],
  ])('%s', async (_what, installed, asked) => {
    expect(await commands(installed, ['demo'])).toEqual(asked);
  });

  it('hands its arguments to the script', async () => {
    const given = await commands(INSTALLED, ['try:run', '../a', '--dry-run']);
    expect(given).toEqual(['run --silent try:run -- ../a --dry-run']);
  });
});

/** The commands that npm is given if these packages are installed. */
async function commands(installed: Packages | undefined, args: readonly string[]): Promise<readonly string[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'start-'));
  onTestFinished(async () => await rm(root, { recursive: true }));
  const write = async (name: string, text: string): Promise<string> => {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  await write('package-lock.json', JSON.stringify({ packages: WANTED }));
  await write('dist/index.js', '');
  if (installed) {
    const record = await write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
    await utimes(record, 0, 0);
  }
  const npm = await write('npm.cjs', NPM);
  await mkdir(path.join(root, 'scripts'));
  await copyFile(START, path.join(root, 'scripts/start.mjs'));
  const env = { ...process.env, npm_execpath: npm };
  await promisify(execFile)(process.execPath, [path.join(root, 'scripts/start.mjs'), ...args], { env });
  return (await readFile(path.join(root, 'asked'), 'utf8')).trim().split('\n');
}
