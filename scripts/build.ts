/**
 * Builds dist/ and emulator/dist/: `npm run build`. They are committed, because a runner starts what is in the repository.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isMain } from './is-main.ts';
import { licenceFile } from './licences.ts';
import { generatePageAssets, writePageAssets } from './page-assets.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Inputs of both bundles. The list of packages stands for their contents. */
const COMMON_INPUTS = ['tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json', 'scripts/build.ts'];

/** The compiled action that an action.yml starts. */
export interface Bundle {
  /** The committed folder. */
  readonly dist: string;
  /** Files and folders that change the bundle. */
  readonly inputs: readonly string[];
  /** Bundles the compiled sources in lib/ into a folder. */
  readonly bundle: (folder: string) => Promise<void>;
}

export const GATE: Bundle = {
  dist: 'dist',
  inputs: ['src', 'scripts/licences.ts', 'scripts/page-assets.ts', ...COMMON_INPUTS],
  bundle: async (folder) => {
    // The page is built from app/, even if generated.ts is older.
    await writeFile(path.join(ROOT, 'lib/src/report/page/generated.js'), await generatePageAssets());
    await ncc('lib/src/main.js', folder);
    // The post step is the same bundle under another name (`src/start.ts`).
    await writeFile(path.join(folder, 'post.js'), "import './index.js';\n");
    await writeFile(path.join(folder, 'licenses.txt'), await licenceFile(ROOT));
  },
};

export const EMULATOR: Bundle = {
  dist: 'emulator/dist',
  inputs: ['emulator', 'examples/scenarios', ...COMMON_INPUTS],
  // It has few packages: ncc finds their licences.
  bundle: async (folder) => await ncc('lib/emulator/action.js', folder, '--license', 'licenses.txt'),
};

/** Holds the last build of each bundle, in a folder named after the hash of its inputs. */
const CACHE = path.join(ROOT, 'node_modules/.cache/build');

/** Holds the id of the process that builds. */
const LOCK = path.join(ROOT, 'node_modules/.cache/build.lock');
const LOCK_POLL_MS = 200;

/**
 * Builds the sources as they are now, unless the last build had the same inputs. Of several processes, one builds and the
 * others wait.
 *
 * @returns the folder of the build
 */
export async function freshBuild(bundle: Bundle = GATE): Promise<string> {
  const kept = path.join(CACHE, bundle.dist, await hashInputs(bundle));
  while (!existsSync(kept)) {
    if (await takeLock()) await buildInto(kept, bundle).finally(async () => await rm(LOCK));
    else await sleep(LOCK_POLL_MS);
  }
  return kept;
}

/** @returns whether this process holds the lock now */
async function takeLock(): Promise<boolean> {
  await mkdir(path.dirname(LOCK), { recursive: true });
  try {
    await writeFile(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(await readFile(LOCK, 'utf8').catch(() => ''));
    // A process that was killed has left its lock.
    if (holder > 0 && !isRunning(holder)) await rm(LOCK, { force: true });
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function buildInto(folder: string, bundle: Bundle): Promise<void> {
  // Another process may have built it before this one got the lock.
  if (existsSync(folder)) return;
  const cache = path.dirname(folder);
  await rm(cache, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(path.join(cache, 'draft-'));
  await build(draft, bundle);
  await rename(draft, folder);
}

/** Changes with the name or the content of any input. */
async function hashInputs({ inputs }: Bundle): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const isFolder = (await stat(path.join(ROOT, input))).isDirectory();
    const files = isFolder
      ? await filesIn(path.join(ROOT, input))
      : [['', await readFile(path.join(ROOT, input))] as const];
    for (const [name, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      hash.update(`${input}/${name}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}

/** @returns the files of a committed folder that are missing, or not what the sources build */
export async function findStaleFiles(bundle: Bundle): Promise<readonly string[]> {
  const built = await filesIn(await freshBuild(bundle));
  const present = await filesIn(path.join(ROOT, bundle.dist));
  const names = new Set([...built.keys(), ...present.keys()]);
  return [...names].filter((name) => !built.get(name)?.equals(present.get(name) ?? Buffer.of()));
}

/** Throws if dist/ is stale. For scripts that start dist/ without building it. */
export async function assertFreshDist(): Promise<void> {
  const [stale] = await findStaleFiles(GATE);
  if (stale !== undefined) throw new Error(`dist/${stale} is not what the sources build: run "npm run build" first.`);
}

async function writeDist(): Promise<void> {
  await writePageAssets();
  for (const bundle of [GATE, EMULATOR]) {
    const folder = await freshBuild(bundle);
    const dist = path.join(ROOT, bundle.dist);
    // Chunks change their names: those that are no longer built must not stay.
    await rm(dist, { recursive: true, force: true });
    await cp(folder, dist, { recursive: true });
  }
}

/** ncc cannot read TypeScript 7, so tsc goes first. Types are checked by `npm run types`. */
async function build(folder: string, { bundle }: Bundle): Promise<void> {
  await rm(path.join(ROOT, 'lib'), { recursive: true, force: true });
  await execute('tsc', '--project', 'tsconfig.build.json', '--noCheck');
  await bundle(folder);
}

async function ncc(script: string, folder: string, ...options: readonly string[]): Promise<void> {
  await execute('ncc', 'build', script, '--quiet', '--no-cache', '--out', folder, ...options);
}

async function execute(command: string, ...args: readonly string[]): Promise<void> {
  const bin = path.join(ROOT, 'node_modules/.bin');
  try {
    await promisify(execFile)(command, args, {
      cwd: ROOT,
      env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH']}` },
      // On Windows these commands are scripts.
      shell: process.platform === 'win32',
    });
  } catch (error) {
    // The command prints its errors on standard output.
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`"${command} ${args.join(' ')}" failed.\n${output}`, { cause: error });
  }
}

async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const names = files.map((file) => path.relative(folder, file).replaceAll('\\', '/'));
  // The committed bundle in emulator/dist/ must not change its own hash.
  const wanted = names.filter((name) => !name.startsWith('dist/'));
  return new Map(
    await Promise.all(wanted.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
  );
}

if (isMain(import.meta.url)) {
  try {
    await writeDist();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
