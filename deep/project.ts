/** A copy of the project whose sources can be changed, and a way to run tests in it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** How many test processes run at the same time. */
export const LANES = availableParallelism();

const FOLDERS = ['src', 'test', 'emulator', 'scripts', 'deep', 'examples', 'bench'];
const FILES = ['action.yml', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'vitest.config.ts', 'README.md'];

export interface ProjectCopy extends AsyncDisposable {
  readonly path: string;
}

export async function copyProject(): Promise<ProjectCopy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-deep-'));
  for (const name of [...FOLDERS, ...FILES])
    await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true, filter: isSource });
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  return { path: folder, [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true }) };
}

function isSource(file: string): boolean {
  return path.basename(file) !== 'node_modules';
}

/** Compiles `src/` into `lib/`. It is not bundled, which would take longer and change nothing for the tests. */
export async function compile(project: string): Promise<string> {
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: project });
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`The changed sources do not compile.\n${output}`, { cause: error });
  }
  return path.join(project, 'lib/src/main.js');
}

export interface TestOptions {
  /** Paths of test files in the project. */
  readonly files: readonly string[];
  /** Further options of Vitest. */
  readonly options?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The tests are stopped after this time. */
  readonly timeoutMs: number;
}

export interface TestName {
  readonly file: string;
  readonly name: string;
}

export interface FailingTest extends TestName {
  readonly message: string;
}

export interface TestResult {
  readonly passed: readonly TestName[];
  readonly failures: readonly FailingTest[];
  readonly isTimeout: boolean;
  readonly seconds: number;
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/** Runs test files of a project in one process of Vitest, of those that `npm test` runs. */
export async function runTests(
  project: string,
  { files, options = [], env, timeoutMs }: TestOptions,
): Promise<TestResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-tests-'));
  const report = path.join(folder, 'report.json');
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--reporter=json', `--outputFile=${report}`, ...options, ...files];
  const started = performance.now();
  try {
    // A group of processes, so that the actions which the tests started end as well.
    const child = spawn(process.execPath, [vitest, ...args], {
      cwd: project,
      env: { ...process.env, ...env },
      stdio: 'ignore',
      detached: true,
    });
    const stop = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      stop();
    }, timeoutMs);
    process.once('exit', stop);
    await once(child, 'close');
    process.off('exit', stop);
    clearTimeout(timer);
    const seconds = (performance.now() - started) / 1000;
    if (isTimeout) return { passed: [], failures: [], isTimeout, seconds };
    const { testResults }: VitestReport = JSON.parse(await readFile(report, 'utf8'));
    const passed = passedIn(testResults, project);
    return { passed, failures: failuresIn(testResults, project), isTimeout, seconds };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function passedIn(results: VitestReport['testResults'], project: string): readonly TestName[] {
  return results.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed')
      .map(({ fullName }) => ({ file: path.relative(project, name), name: fullName })),
  );
}

function failuresIn(results: VitestReport['testResults'], project: string): readonly FailingTest[] {
  return results.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(project, name);
    const failures = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({ file, name: test.fullName, message: test.failureMessages?.[0] ?? '' }));
    // A file that cannot be loaded has no tests.
    return status === 'failed' && failures.length === 0 ? [{ file, name: 'the whole file', message }] : failures;
  });
}
