/** How long it takes to find the media in a big repository: ours beside the bare `@actions/glob` and `find`. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { create } from '@actions/glob';
import { DEFAULT_PATTERNS } from '../src/media/default-patterns.ts';
import { search } from '../test/media/search.ts';
import { alternate, makeFolder, type Row } from './stage.ts';

const FILES_PER_DIRECTORY = 50;
const OWN_DIRECTORIES = 200;
const MODULE_DIRECTORIES = 800;
/** One in so many of the team's own files is media. */
const MEDIA_EVERY = 10;

export async function discovery(rounds: number): Promise<readonly Row[]> {
  await using folder = await makeFolder();
  await makeRepository(folder.path);
  const timeOf = (way: (root: string) => Promise<number>) => async (): Promise<number> => {
    const begun = performance.now();
    if ((await way(folder.path)) === 0) throw new Error('Nothing was found.');
    return performance.now() - begun;
  };
  const [own = Number.NaN, glob = Number.NaN, find = Number.NaN] = await alternate(
    rounds,
    timeOf(async (root) => (await search(DEFAULT_PATTERNS, root)).files.length),
    timeOf(searchWithGlob),
    timeOf(searchWithFind),
  );
  const files = (OWN_DIRECTORIES + MODULE_DIRECTORIES) * FILES_PER_DIRECTORY;
  const told = {
    what: `the media among ${files.toLocaleString('en')} files, default patterns`,
    ours: `${own.toFixed(0)} ms`,
  };
  return [
    {
      ...told,
      beside: '`@actions/glob`',
      theirs: `${glob.toFixed(0)} ms`,
      ratio: `${((100 * own) / glob).toFixed(1)} % of its time`,
      goal: '≤ 25 %',
      isMet: own / glob <= 0.25,
    },
    {
      ...told,
      beside: '`find`, which only lists',
      theirs: `${find.toFixed(0)} ms`,
      ratio: `${(own / find).toFixed(2)} × its time`,
      goal: '≤ 10 ×',
      isMet: own / find <= 10,
    },
  ];
}

async function makeRepository(root: string): Promise<void> {
  const own = Array.from({ length: OWN_DIRECTORIES }, (_, i) => `area-${i % 10}/part-${i}`);
  const modules = Array.from({ length: MODULE_DIRECTORIES }, (_, i) => `node_modules/package-${i % 100}/lib-${i}`);
  for (const directory of [...own, ...modules]) {
    const target = path.join(root, directory);
    await mkdir(target, { recursive: true });
    const names = Array.from({ length: FILES_PER_DIRECTORY }, (_, i) => `file-${i}.${i % MEDIA_EVERY ? 'js' : 'png'}`);
    await Promise.all(names.map((name) => writeFile(path.join(target, name), 'x')));
  }
}

/** As an action would use it: it cannot be told what not to walk. It also prints debug lines, which the runner hides. */
async function searchWithGlob(root: string): Promise<number> {
  const lines = DEFAULT_PATTERNS.map((pattern) => path.join(root, pattern)).join('\n');
  return (await (await create(lines, { matchDirectories: false })).glob()).length;
}

/** The plainest one, and all of it: a floor. Name tests would make it slower. */
async function searchWithFind(root: string): Promise<number> {
  const { stdout } = await promisify(execFile)('find', [root, '-type', 'f'], { maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').length - 1;
}
