/**
 * Mutation testing: small changes of the sources, one at a time. At least one test has to fail for each.
 *
 *   npm run deep -- mutation [area …] [--sample N]   N mutants of each area, 30 by default
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { concurrently } from '../../src/lib/concurrently.ts';
import { copyProject, LANES, runTests } from '../project.ts';
import { formatTable, readRecord, today, writeRecord } from '../record.ts';
import { type Area, findAreas } from './areas.ts';
import { measureCoverage, type TestFile, VITEST_OPTIONS } from './coverage.ts';
import { chooseSample, type Mutant, plantMutants, writeEntry } from './mutants.ts';

/** The share of mutants that has to be noticed in one run. */
const THRESHOLD = 0.75;
const DEFAULT_SAMPLE = '30';
/** How long the front-door tests of one mutant may take; all of them take minutes. */
const FRONT_DOOR_SECONDS = 45;
const MIN_TIMEOUT_MS = 60_000;
/** Several times what the tests take without a mutant: a slow machine must not look like an endless loop. */
const TIMEOUT_FACTOR = 5;

interface Score {
  readonly area: Area;
  readonly mutants: number;
  readonly tried: number;
  readonly killed: number;
}

/** @returns whether enough mutants were noticed */
export async function testMutants(args: readonly string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { sample: { type: 'string', default: DEFAULT_SAMPLE } },
  });
  const all = findAreas();
  const areas = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const size = Number(values.sample);
  if (areas.length < positionals.length || !(size > 0)) {
    console.error(`--sample takes a number. Areas are: ${all.map(({ name }) => name).join(', ')}.`);
    return false;
  }
  await using project = await copyProject();
  const mutants = await plantMutants(project.path);
  let coverage: Coverage = new Map();
  const scores: Score[] = [];
  for (const area of areas) {
    const found = mutants.filter(({ file }) => path.matchesGlob(file, area.sources));
    const sample = chooseSample(found, size);
    console.log(`${area.name}: ${sample.length} of ${found.length} mutants`);
    let left: readonly Mutant[] = sample;
    // Most mutants are noticed by the unit tests, which are fast.
    for (const tests of [area.unitTests, area.frontDoorTests]) {
      if (left.length === 0) break;
      coverage = await withCoverage(coverage, tests, project.path);
      left = await unnoticed(left, reachedBy(tests, coverage), project.path);
    }
    for (const { description } of left) console.log(`Not noticed: ${description}`);
    const score = { area, mutants: found.length, tried: sample.length, killed: sample.length - left.length };
    scores.push(score);
    // A smaller sample is for trying things out.
    if (size >= Number(DEFAULT_SAMPLE)) writeRecord('mutation', withRow(readRecord('mutation'), score, all));
  }
  console.log(`\n${formatTable(HEAD, ALIGN, scores.map(rowOf))}`);
  const sum = (of: (score: Score) => number): number => scores.reduce((total, score) => total + of(score), 0);
  const [killed, tried] = [sum((score) => score.killed), sum((score) => score.tried)];
  console.log(`\n${killed} of ${tried} mutants were noticed; at least ${THRESHOLD * 100} % are required.`);
  return killed >= THRESHOLD * tried;
}

/** Test files that were measured, by their paths. */
type Coverage = ReadonlyMap<string, TestFile>;

/** Measures the test files that no other area has needed. */
async function withCoverage(coverage: Coverage, files: readonly string[], project: string): Promise<Coverage> {
  const missing = files.filter((file) => !coverage.has(file));
  const measured = await measureCoverage(project, missing);
  return new Map([...coverage, ...measured.map((test) => [test.file, test] as const)]);
}

/** @returns gives the tests that reach a mutant, the shortest first; of the slow front-door tests only some */
function reachedBy(files: readonly string[], coverage: Coverage): (mutant: Mutant) => readonly TestFile[] {
  const tests = files
    .map((file) => coverage.get(file))
    .filter((test) => test !== undefined)
    .toSorted((a, b) => a.seconds - b.seconds);
  const isFrontDoor = files.every((file) => file.startsWith('test/gate/'));
  return ({ id }) => {
    const reaching = tests.filter(({ reached }) => reached.has(id));
    return isFrontDoor ? withinTime(reaching) : reaching;
  };
}

/** The shortest files, as many as fit. */
function withinTime(tests: readonly TestFile[]): readonly TestFile[] {
  let seconds = 0;
  return tests.filter((test) => (seconds += test.seconds) <= FRONT_DOOR_SECONDS);
}

/** @returns the mutants for which no test fails */
async function unnoticed(
  mutants: readonly Mutant[],
  testsOf: (mutant: Mutant) => readonly TestFile[],
  project: string,
): Promise<readonly Mutant[]> {
  const results = await concurrently(
    mutants,
    LANES,
    async (mutant) => await isNoticed(mutant, testsOf(mutant), project),
  );
  return mutants.filter((_, index) => results[index] === false);
}

async function isNoticed(mutant: Mutant, tests: readonly TestFile[], project: string): Promise<boolean> {
  if (tests.length === 0) return false;
  const expectedMs = tests.reduce((all, { seconds }) => all + seconds * 1000, 0);
  const { failures, isTimeout } = await runTests(project, {
    files: tests.map(({ file }) => file),
    options: [...VITEST_OPTIONS, '--bail=1'],
    env: { GATE_BUNDLE: await writeEntry(project, mutant.id), __STRYKER_ACTIVE_MUTANT__: mutant.id },
    timeoutMs: Math.max(MIN_TIMEOUT_MS, TIMEOUT_FACTOR * expectedMs),
  });
  return isTimeout || failures.length > 0;
}

const HEAD = ['area', 'sources', 'mutants', 'tried', 'noticed', 'score', 'last run'];
const ALIGN = ['---', '---', '---:', '---:', '---:', '---:', '---'];

function rowOf({ area, mutants, tried, killed }: Score): readonly (string | number)[] {
  const percent = tried === 0 ? 100 : Math.floor((100 * killed) / tried);
  return [area.name, `\`${area.sources}\``, mutants, tried, killed, `${percent} %`, today()];
}

/** The table with a new row for one area. The rows of the other areas stay as they are. */
function withRow(before: string, score: Score, areas: readonly Area[]): string {
  const rows = new Map(before.split('\n').map((line) => [/^\| ([^|]*) \|/.exec(line)?.[1], line]));
  rows.set(score.area.name, `| ${rowOf(score).join(' | ')} |`);
  const known = areas.map(({ name }) => rows.get(name)).filter((line) => line !== undefined);
  return [formatTable(HEAD, ALIGN, []), ...known].join('\n');
}
