import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { concurrently } from '../../src/lib/concurrently.ts';
import { LANES, runTests } from '../project.ts';

/** What a test file does without an active mutant. */
export interface TestFile {
  readonly file: string;
  /** IDs of the mutants whose code it runs. */
  readonly reached: ReadonlySet<string>;
  readonly seconds: number;
}

/** The retry keeps a test that fails now and then on a busy machine from looking like one that notices a mutant. */
export const VITEST_OPTIONS = ['--config=deep/mutation/vitest.config.ts', '--maxWorkers=1', '--retry=1'];

const MAX_FILE_MS = 900_000;

/** Runs each test file alone. One that fails without a mutant is left out: its failure would say nothing about a mutant. */
export async function measureCoverage(project: string, files: readonly string[]): Promise<readonly TestFile[]> {
  return await concurrently(files, LANES, async (file) => await measureFile(project, file));
}

async function measureFile(project: string, file: string): Promise<TestFile> {
  const folder = await mkdtemp(path.join(project, 'entries', 'coverage-'));
  const processes = path.join(folder, 'processes');
  await mkdir(processes);
  const entry = path.join(folder, 'main.mjs');
  await writeFile(entry, coverageEntry(project, processes));
  const { passed, failures, isTimeout, seconds } = await runTests(project, {
    files: [file],
    options: VITEST_OPTIONS,
    env: { GATE_BUNDLE: entry, MUTATION_COVERAGE: path.join(processes, 'tests.json') },
    timeoutMs: MAX_FILE_MS,
  });
  const [failure] = failures;
  const reached = new Set<string>();
  if (failure || isTimeout || passed.length === 0) {
    console.log(`Left out, because it fails without a mutant: ${file} ${failure?.name ?? ''}`);
    return { file, reached, seconds };
  }
  for (const name of await readdir(processes)) {
    const ids: readonly string[] = JSON.parse(await readFile(path.join(processes, name), 'utf8'));
    for (const id of ids) reached.add(id);
  }
  return { file, reached, seconds };
}

/** Starts the action, and writes at its end which mutants it has reached. */
function coverageEntry(project: string, folder: string): string {
  return `import { writeFileSync } from 'node:fs';
process.on('exit', () => {
  const ids = Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {});
  writeFileSync(${JSON.stringify(folder)} + '/' + process.pid + '-' + process.hrtime.bigint() + '.json', JSON.stringify(ids));
});
await import(${JSON.stringify(path.join(project, 'lib/main.js'))});
`;
}
