/**
 * Builds dist/, which is committed: a runner starts what is in the repository.
 *
 *   node scripts/build.ts            write dist/
 *   node scripts/build.ts --check    only report which files are not what the sources build
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { isMain } from './is-main.ts';
import { type BundledPackage, licenceFile, packageFolders, readPackage } from './licences.ts';
import { writePageAssets } from './page-assets.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = path.join(ROOT, 'dist');

/** Everything that a build depends on. A list of packages stands for their contents. */
const INPUTS = ['src', 'tsconfig.json', 'package.json', 'package-lock.json', 'scripts/build.ts', 'scripts/licences.ts'];
/** The last build, in a folder named after the hash of its inputs. */
const CACHE = path.join(ROOT, 'node_modules/.cache/build');

/** A build of the sources as they are now. */
export interface Build {
  readonly folder: string;
  readonly packages: readonly BundledPackage[];
}

/** Builds, unless the last build had the same inputs. */
export async function freshBuild(): Promise<Build> {
  const kept = path.join(CACHE, await hashInputs(ROOT));
  if (!existsSync(kept)) {
    await rm(CACHE, { recursive: true, force: true });
    await mkdir(CACHE, { recursive: true });
    const draft = await mkdtemp(path.join(CACHE, 'draft-'));
    const packages = await build(path.join(draft, 'dist'));
    await writeFile(path.join(draft, 'packages.json'), JSON.stringify(packages));
    await rename(draft, kept);
  }
  const packages: readonly BundledPackage[] = JSON.parse(await readFile(path.join(kept, 'packages.json'), 'utf8'));
  return { folder: path.join(kept, 'dist'), packages };
}

/** Changes with the name or the content of any input. */
export async function hashInputs(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const input of INPUTS) {
    const isFolder = (await stat(path.join(root, input))).isDirectory();
    const files = isFolder
      ? await filesIn(path.join(root, input))
      : [['', await readFile(path.join(root, input))] as const];
    for (const [name, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      hash.update(`${input}/${name}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}

/** @returns what in dist/ is not what the sources build, one sentence each */
export async function findStaleFiles(): Promise<readonly string[]> {
  return await compare((await freshBuild()).folder, DIST);
}

/** For whatever starts dist/ without building it. */
export async function assertFreshDist(): Promise<void> {
  const [stale] = await findStaleFiles();
  if (stale !== undefined) throw new Error(`${stale}: run "npm run build" first.`);
}

async function writeDist(): Promise<void> {
  await writePageAssets();
  const { folder } = await freshBuild();
  // Chunks change their names: those that are no longer built must not stay.
  await rm(DIST, { recursive: true, force: true });
  await cp(folder, DIST, { recursive: true });
}

async function build(folder: string): Promise<readonly BundledPackage[]> {
  const modules = await bundleSources();
  await execute('ncc', 'build', 'lib/main.js', '--quiet', '--out', folder);
  const folders = packageFolders(modules);
  const packages = await Promise.all(folders.map(async (name) => await readPackage(path.join(ROOT, name))));
  await writeFile(path.join(folder, 'licenses.txt'), licenceFile(packages));
  return packages;
}

/**
 * Parts of packages that no run uses: paths of files or folders. The artifact client only uploads and deletes here: it
 * unpacks nothing, searches no folder and asks for no checksum. undici only carries HTTP/1.1 and GitHub's `fetch`.
 */
const UNUSED_PARTS: readonly string[] = [
  '@azure/storage-common/dist/esm/crc64.js',
  'debug/',
  'glob/',
  'readdir-glob/',
  'undici/lib/cache/',
  'undici/lib/interceptor/',
  'undici/lib/milo/',
  'undici/lib/mock/',
  'undici/lib/web/cookies/',
  'undici/lib/web/eventsource/',
  'undici/lib/web/websocket/',
  'unzip-stream/',
];

/** Takes the place of each: whatever is imported from it is undefined, and calling it does nothing. */
const NOTHING = 'const nothing = () => nothing; module.exports = nothing;';

/**
 * ncc cannot read TypeScript 7 and keeps everything that a package exports. So rolldown goes first: it turns the sources and
 * their packages into a few JavaScript files without the exports that nothing uses.
 *
 * @returns paths of the modules that are in them
 */
async function bundleSources(): Promise<readonly string[]> {
  const folder = path.join(ROOT, 'lib');
  await rm(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    cwd: ROOT,
    input: { main: 'src/main.ts' },
    platform: 'node',
    external: (id) => isBuiltin(id),
    plugins: [{ name: 'unused-parts', load: (id) => (isUnused(id) ? NOTHING : undefined) }],
    // Importing them has no effect, though they do not declare it. Of @actions/core no HTTP client is needed.
    treeshake: { moduleSideEffects: [{ test: /@actions\/(?:core|exec|glob|http-client|io)/, sideEffects: false }] },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    minify: 'dce-only',
    // Every byte is parsed in every run.
    comments: { legal: true, annotation: false, jsdoc: false },
    chunkFileNames: '[name].js',
  });
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return modules.filter((module) => !isUnused(module)).map((module) => posix(path.relative(ROOT, module)));
}

function isUnused(module: string): boolean {
  return UNUSED_PARTS.some((part) => posix(module).includes(`/node_modules/${part}`));
}

function posix(file: string): string {
  return file.replaceAll('\\', '/');
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

async function compare(fresh: string, committed: string): Promise<readonly string[]> {
  const [built, present] = [await filesIn(fresh), await filesIn(committed)];
  const problems = [...present.keys()]
    .filter((name) => !built.has(name))
    .map((name) => `dist/${name} is not built any more`);
  for (const [name, bytes] of built) {
    const other = present.get(name);
    if (!other) problems.push(`dist/${name} is missing`);
    else if (!bytes.equals(other)) problems.push(`dist/${name} is not what the sources build`);
  }
  return problems;
}

async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const contents = await Promise.all(
    names.map(async (name) => [posix(path.relative(folder, name)), await readFile(name)] as const),
  );
  return new Map(contents);
}

if (isMain(import.meta.url)) {
  try {
    if (process.argv.includes('--check')) {
      const stale = await findStaleFiles();
      for (const problem of stale) console.error(`${problem}: run "npm run build" and commit dist/.`);
      if (stale.length > 0) process.exitCode = 1;
    } else await writeDist();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
