/**
 * Planted defects: each is put into a copy of the sources, and the tests named for it have to notice.
 *
 *   --only <text>   those with this text in their names
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { record, table, today } from '../record.ts';
import { DEFECTS, type Defect, type TestChoice } from './defects.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LANES = 2;
const FOLDERS = ['src', 'test', 'emulator', 'scripts', 'deep'];
const FILES = ['action.yml', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'vitest.config.ts', 'README.md'];
const execute = promisify(execFile);

/** @returns whether every defect was noticed */
export async function plantDefects(args: readonly string[]): Promise<boolean> {
  const begun = performance.now();
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string', default: '' } } });
  const defects = DEFECTS.filter(({ name }) => name.includes(values.only));
  if (defects.length === 0) throw new Error(`No defect has "${values.only}" in its name.`);
  await assertPlantable(defects);
  const lanes = await Promise.all(Array.from({ length: LANES }, copyProject));
  try {
    await assertSound(lanes[0] ?? ROOT, defects);
    const left = defects.entries();
    const rows = new Map<number, Row>();
    await Promise.all(
      lanes.map(async (project) => {
        for (const [index, defect] of left) rows.set(index, await plant(defect, project));
      }),
    );
    const planted = defects.map((_, index) => rows.get(index)).filter((row) => row !== undefined);
    const unnoticed = planted.filter(({ noticedBy }) => noticedBy === undefined).length;
    const told = table(
      ['defect', 'where', 'noticed by'],
      ['---', '---', '---'],
      planted.map(({ defect, noticedBy }) => [defect.name, `\`src/${defect.file}\``, noticedBy ?? '**nobody**']),
    );
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`\n${told}\n\n${planted.length - unnoticed} of ${planted.length} noticed, in ${seconds} s`);
    // The record is of all defects in one run.
    if (defects.length === DEFECTS.length)
      record('defects', `Last run: ${today()}, ${planted.length - unnoticed} of ${planted.length} noticed.\n\n${told}`);
    return unnoticed === 0;
  } finally {
    await Promise.all(lanes.map(async (project) => await rm(project, { recursive: true })));
  }
}

interface Row {
  readonly defect: Defect;
  /** The first test that failed, and how many others did. */
  readonly noticedBy: string | undefined;
}

async function copyProject(): Promise<string> {
  const project = await mkdtemp(path.join(tmpdir(), 'gate-defect-'));
  for (const name of [...FOLDERS, ...FILES])
    await cp(path.join(ROOT, name), path.join(project, name), { recursive: true, filter: isSource });
  await symlink(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'));
  return project;
}

function isSource(file: string): boolean {
  return path.basename(file) !== 'node_modules';
}

/** Without a defect all of these tests pass, or their failing would prove nothing. */
async function assertSound(project: string, defects: readonly Defect[]): Promise<void> {
  await build(project);
  const failures = await failingTests(
    project,
    defects.flatMap(({ tests }) => tests),
    LANES,
  );
  if (failures.length > 0) throw new Error(`Without a defect, too:\n${failures.map(({ name }) => name).join('\n')}`);
}

/** Sources change: a defect that is not planted would prove nothing either. */
async function assertPlantable(defects: readonly Defect[]): Promise<void> {
  for (const { name, file, search } of defects) {
    const source = await readFile(path.join(ROOT, 'src', file), 'utf8');
    if (source.split(search).length !== 2)
      throw new Error(`"${name}": what it changes is not in src/${file} exactly once.`);
  }
}

async function plant(defect: Defect, project: string): Promise<Row> {
  const file = path.join(project, 'src', defect.file);
  const source = await readFile(file, 'utf8');
  try {
    await writeFile(
      file,
      source.replace(defect.search, () => defect.replacement),
    );
    await build(project);
    const failures = await failingTests(project, defect.tests, 1);
    const [first, ...others] = failures.filter(({ message }) => message.startsWith('AssertionError'));
    const noticedBy =
      first && `\`${first.file}\`: ${first.name}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;
    console.log(`${noticedBy ? 'noticed' : 'NOT NOTICED'}: ${defect.name}`);
    if (!noticedBy) for (const { name, message } of failures) console.log(`  ${name}: ${message}`);
    return { defect, noticedBy };
  } finally {
    await writeFile(file, source);
  }
}

/** The compiler alone: what it writes runs as well as a bundle does, and is there in a second. */
async function build(project: string): Promise<void> {
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    await execute(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: project });
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`A defect has to compile.\n${output}`, { cause: error });
  }
}

interface FailingTest {
  readonly file: string;
  readonly name: string;
  readonly message: string;
}

interface VitestReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

async function failingTests(
  project: string,
  tests: readonly TestChoice[],
  workers: number,
): Promise<readonly FailingTest[]> {
  const files = [...new Set(tests.map(({ file }) => path.join('test', file)))];
  const names = [...new Set(tests.map(({ name }) => name))].join('|');
  const report = path.join(project, 'report.json');
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const options = [
    'run',
    '--reporter=json',
    `--outputFile=${report}`,
    `--maxWorkers=${workers}`,
    '--retry=1',
    '-t',
    names,
  ];
  // It ends with an error where a test fails.
  await execute(process.execPath, [vitest, ...options, ...files], {
    cwd: project,
    env: { ...process.env, GATE_BUNDLE: path.join(project, 'lib/main.js') },
    maxBuffer: 100_000_000,
  }).catch(() => undefined);
  const { testResults, numPassedTests }: VitestReport = JSON.parse(await readFile(report, 'utf8'));
  await rm(report);
  const failures = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        file: path.relative(project, file),
        name: fullName,
        message: failureMessages?.[0] ?? '',
      })),
  );
  if (numPassedTests + failures.length === 0) throw new Error(`No test is called ${names} in ${files.join(', ')}.`);
  return failures;
}
