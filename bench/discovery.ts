/** How long it takes to find the media in a repository, beside `@actions/glob` alone. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { create } from '@actions/glob';
import { DEFAULT_PATTERNS } from '../src/media/media-types.ts';
import { makeWorkspace } from '../test/harness/workspace.ts';
import { search, withoutDebugLines } from '../test/media/search.ts';
import { alternate, type Comparison } from './stage.ts';

const FILES_PER_FOLDER = 50;
const TOP_FOLDERS = 10;
/** One of this many files is media. */
const MEDIA_EVERY = 10;
/** The options that our search uses. */
const GLOB_OPTIONS = { followSymbolicLinks: false, implicitDescendants: false, matchDirectories: false };

export async function discovery(rounds: number): Promise<readonly Comparison[]> {
  const rows: Comparison[] = [];
  for (const files of [1_000, 10_000, 50_000]) rows.push(await compare(files, rounds));
  return [...rows, await compareFolders(rounds)];
}

/** A line that begins with a folder must not walk the rest of the repository. */
async function compareFolders(rounds: number): Promise<Comparison> {
  await using large = await makeWorkspace({});
  await using small = await makeWorkspace({});
  for (const { path: root } of [large, small]) await makeRepository(path.join(root, 'media'), 500);
  await makeRepository(path.join(large.path, 'src'), 49_500);
  const [ours = Number.NaN, theirs = Number.NaN] = await alternate(
    rounds,
    timeOf(async () => (await search(['media/**'], large.path)).files.length),
    timeOf(async () => (await search(['media/**'], small.path)).files.length),
  );
  const what = 'find 500 files with `media/**` in a repository of 50,000';
  return { what, ours, beside: 'the same in a repository of 500', theirs, maxTimes: 1.5 };
}

function timeOf(way: () => Promise<number>): () => Promise<number> {
  return async () => {
    const start = performance.now();
    if ((await way()) === 0) throw new Error('Nothing was found.');
    return performance.now() - start;
  };
}

async function compare(files: number, rounds: number): Promise<Comparison> {
  await using folder = await makeWorkspace({});
  await makeRepository(folder.path, files);
  const [ours = Number.NaN, theirs = Number.NaN] = await alternate(
    rounds,
    timeOf(async () => (await search(DEFAULT_PATTERNS, folder.path)).files.length),
    timeOf(async () => await searchWithGlob(folder.path)),
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
