/**
 * Planted bugs: each one is put into a copy of the sources, and the tests named for it have to fail.
 *
 *   npm run deep -- planted [--only <text>]   those with this text in their names
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { concurrently } from '../../src/lib/concurrently.ts';
import {
  compile,
  copyProject,
  type FailingTest,
  LANES,
  type ProjectCopy,
  ROOT,
  runTests,
  type TestResult,
} from '../project.ts';
import { formatTable, TESTING_PAGE, today, writeRecord } from '../record.ts';
import { BUGS, type PlantedBug, type TestChoice } from './bugs.ts';
import { SMALL_BUGS } from './small-bugs.ts';

const MAX_TESTS_MS = 900_000;

/** @returns whether every bug was noticed */
export async function plantBugs(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string', default: '' } } });
  const bugs = [...BUGS, ...SMALL_BUGS].filter(({ name }) => name.includes(values.only));
  if (bugs.length === 0) throw new Error(`No planted bug has "${values.only}" in its name.`);
  await assertPlantable(bugs);
  await using copies = new AsyncDisposableStack();
  const lanes: ProjectCopy[] = [];
  for (let lane = 0; lane < Math.min(LANES, bugs.length); lane += 1) lanes.push(copies.use(await copyProject()));
  await assertPassing(lanes[0]?.path ?? ROOT, bugs);
  const planted = await concurrently(bugs, lanes.length, async (bug, _, lane) => {
    return { bug, failures: await plant(bug, lanes[lane]?.path ?? '') };
  });
  const [large, small] = [BUGS, SMALL_BUGS].map((list) => planted.filter(({ bug }) => list.includes(bug)));
  record(large ?? [], BUGS.length, (table) => writeRecord('planted', table));
  record(small ?? [], SMALL_BUGS.length, (table) => writeRecord('planted', table, TESTING_PAGE));
  return planted.every(({ failures }) => failures.length > 0);
}

interface Planted {
  readonly bug: PlantedBug;
  readonly failures: readonly FailingTest[];
}

/** Prints the results, and writes them if all bugs of the list were tried. */
function record(planted: readonly Planted[], all: number, write: (table: string) => void): void {
  if (planted.length === 0) return;
  const noticed = planted.filter(({ failures }) => failures.length > 0).length;
  const missed = planted.filter(({ bug }) => bug.wasMissed).length;
  const atFirst = missed === 0 ? '' : `, ${planted.length - missed} of them at first`;
  const rows = planted.map(({ bug: { name, wasMissed }, failures: [first] }) => [
    name,
    first ? `\`${first.file.replace(/^test\/|\.test\.ts$/g, '')}\`${wasMissed ? ', new' : ''}` : '**no test**',
  ]);
  const table = formatTable(['bug', 'noticed by, in `test/`'], ['---', '---'], rows);
  const text = `Last run: ${today()}, ${noticed} of ${planted.length} noticed${atFirst}.\n\n${table}`;
  console.log(`\n${text}`);
  if (planted.length === all) write(text);
}

/**
 * Without a bug all of these tests pass, or their failure would prove nothing. `npm test` runs one for each bug: a bug that
 * only the generated cases of `npm run test:deep` notice is noticed too late.
 */
async function assertPassing(project: string, bugs: readonly PlantedBug[]): Promise<void> {
  const tests = bugs.flatMap((bug) => bug.tests);
  const { passed, failures } = await runChosen(project, tests, LANES);
  if (failures.length > 0)
    throw new Error(`These tests fail without a bug:\n${failures.map(({ name }) => name).join('\n')}`);
  const isRun = ({ file, name }: TestChoice): boolean =>
    passed.some((test) => test.file === path.join('test', file) && test.name.includes(name));
  const unheld = bugs.filter((bug) => !bug.tests.some(isRun));
  if (unheld.length > 0)
    throw new Error(`npm test runs none of the tests named for:\n${unheld.map(({ name }) => name).join('\n')}`);
}

/** The sources change: a bug that is not planted would prove nothing. */
async function assertPlantable(bugs: readonly PlantedBug[]): Promise<void> {
  const problems: string[] = [];
  for (const { name, file, search } of bugs) {
    const source = await readFile(path.join(ROOT, 'src', file), 'utf8').catch(() => '');
    const count = source.split(search).length - 1;
    if (count !== 1) problems.push(`"${name}": its text is ${count} times in src/${file}, and should be there once.`);
  }
  if (problems.length > 0) throw new Error(`Update deep/planted/.\n${problems.join('\n')}`);
}

/** @returns the tests that noticed it */
async function plant(bug: PlantedBug, project: string): Promise<readonly FailingTest[]> {
  const file = path.join(project, 'src', bug.file);
  const source = await readFile(file, 'utf8');
  try {
    await writeFile(
      file,
      source.replace(bug.search, () => bug.replacement),
    );
    const { failures } = await runChosen(project, bug.tests, 1);
    // A test that ran out of time proves nothing: the machine may have been busy.
    const noticed = failures.filter(({ message }) => !/^Error: (?:Test|Hook) timed out/.test(message));
    console.log(`${noticed.length > 0 ? 'noticed' : 'NOT NOTICED'}: ${bug.name}`);
    const unclear = noticed.length > 0 ? [] : failures;
    for (const { name, message } of [...noticed.slice(0, 1), ...unclear])
      console.log(`  ${name}: ${message.split('\n', 1)[0]}`);
    return noticed;
  } finally {
    await writeFile(file, source);
  }
}

async function runChosen(
  project: string,
  tests: readonly TestChoice[],
  workers: number,
): Promise<Pick<TestResult, 'passed' | 'failures'>> {
  const files = [...new Set(tests.map(({ file }) => path.join('test', file)))];
  const names = [...new Set(tests.map(({ name }) => name))].join('|');
  const { passed, failures, isTimeout } = await runTests(project, {
    files,
    options: [`--maxWorkers=${workers}`, '--retry=1', '-t', names],
    env: { GATE_BUNDLE: await compile(project) },
    timeoutMs: MAX_TESTS_MS,
  });
  if (isTimeout) throw new Error(`The tests did not end: ${files.join(', ')}.`);
  if (passed.length + failures.length === 0) throw new Error(`No test is called ${names} in ${files.join(', ')}.`);
  return { passed, failures };
}
