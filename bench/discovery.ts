/**
 * How long it takes to find the media in a big repository: ours against the bare `@actions/glob` and `find`.
 *
 *   node bench/discovery.ts [rounds]
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { create } from '@actions/glob';
import { DEFAULT_PATTERNS } from '../src/media/default-patterns.ts';
import { discover } from '../src/media/discover.ts';

const FILES_PER_DIRECTORY = 50;
const OWN_DIRECTORIES = 200;
const MODULE_DIRECTORIES = 800;
/** One in so many of the team's own files is media. */
const MEDIA_EVERY = 10;

/** How many files a way of searching finds. */
type Search = (root: string, patterns: readonly string[]) => Promise<number>;

const searches: Readonly<Record<string, Search>> = {
  ours: async (root, patterns) => (await discover(patterns, root)).files.length,
  '@actions/glob': searchWithGlob,
  find: searchWithFind,
};
const inputs: Readonly<Record<string, readonly string[]>> = {
  'one pattern': ['**/*.png'],
  [`the ${DEFAULT_PATTERNS.length} default patterns`]: DEFAULT_PATTERNS,
};

const rounds = Number(process.argv[2] ?? 5);
const root = await mkdtemp(path.join(os.tmpdir(), 'discovery-bench-'));
try {
  await makeRepository(root);
  for (const [title, patterns] of Object.entries(inputs)) {
    const times = new Map<string, number[]>();
    const found = new Map<string, number>();
    // Taking turns spreads the noise of the machine over all; the first round only warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const [name, search] of Object.entries(searches)) {
        const begun = performance.now();
        found.set(name, await search(root, patterns));
        if (round > 0) times.set(name, [...(times.get(name) ?? []), performance.now() - begun]);
      }
    }
    print(title, times, found);
  }
} finally {
  await rm(root, { recursive: true, force: true });
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
async function searchWithGlob(root: string, patterns: readonly string[]): Promise<number> {
  const globber = await create(patterns.map((pattern) => path.join(root, pattern)).join('\n'), {
    matchDirectories: false,
  });
  return (await globber.glob()).length;
}

/** The plainest one, which only lists, and all of it: a floor. Name tests would make it slower. */
async function searchWithFind(root: string): Promise<number> {
  const { stdout } = await promisify(execFile)('find', [root, '-type', 'f'], { maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').length - 1;
}

function print(title: string, times: ReadonlyMap<string, readonly number[]>, found: ReadonlyMap<string, number>): void {
  const ours = median(times.get('ours') ?? []);
  console.log(`\n${title.padEnd(24)} median ms  ours takes  files`);
  for (const [name, all] of times) {
    const time = median(all);
    const ratio = `${(ours / time).toFixed(3)} x`;
    console.log(name.padEnd(24), time.toFixed(0).padStart(9), ratio.padStart(11), String(found.get(name)).padStart(6));
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
