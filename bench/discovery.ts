/** How long it takes to find the media in a repository, beside `@actions/glob` alone. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { create } from '@actions/glob';
import { DEFAULT_PATTERNS } from '../src/media/patterns.ts';
import { search, withoutDebugLines } from '../test/media/search.ts';
import { alternate, type Comparison, makeFolder } from './stage.ts';

const FILE_COUNTS = [1_000, 10_000, 50_000];
const FILES_PER_FOLDER = 50;
const TOP_FOLDERS = 10;
/** One of this many files is media. */
const MEDIA_EVERY = 10;
/** The options that our search uses. */
const GLOB_OPTIONS = { followSymbolicLinks: false, implicitDescendants: false, matchDirectories: false };

export async function discovery(rounds: number): Promise<readonly Comparison[]> {
  const rows: Comparison[] = [];
  for (const files of FILE_COUNTS) rows.push(await compare(files, rounds));
  return rows;
}

async function compare(files: number, rounds: number): Promise<Comparison> {
  await using folder = await makeFolder();
  await makeRepository(folder.path, files);
  const timeOf = (way: (root: string) => Promise<number>) => async (): Promise<number> => {
    const start = performance.now();
    if ((await way(folder.path)) === 0) throw new Error('Nothing was found.');
    return performance.now() - start;
  };
  const [ours = Number.NaN, theirs = Number.NaN] = await alternate(
    rounds,
    timeOf(async (root) => (await search(DEFAULT_PATTERNS, root)).files.length),
    timeOf(searchWithGlob),
  );
  const what = `find the media among ${files.toLocaleString('en')} files, default patterns`;
  return { what, ours, beside: '`@actions/glob` with the same options', theirs, maxTimes: 0.5 };
}

async function makeRepository(root: string, files: number): Promise<void> {
  for (let index = 0; index < files / FILES_PER_FOLDER; index++) {
    const folder = path.join(root, `area-${index % TOP_FOLDERS}`, `part-${index}`);
    await mkdir(folder, { recursive: true });
    const names = Array.from({ length: FILES_PER_FOLDER }, (_, i) => `file-${i}.${i % MEDIA_EVERY ? 'js' : 'png'}`);
    await Promise.all(names.map((name) => writeFile(path.join(folder, name), 'x')));
  }
}

/** As an action would use it. */
async function searchWithGlob(root: string): Promise<number> {
  const lines = DEFAULT_PATTERNS.map((pattern) => path.join(root, pattern)).join('\n');
  return await withoutDebugLines(async () => (await (await create(lines, GLOB_OPTIONS)).glob()).length);
}
