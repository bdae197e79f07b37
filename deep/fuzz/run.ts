/**
 * Fuzzing: runs the built action with valid data from outside that was changed at random.
 *
 *   --minutes N       shared by the targets; default: 5
 *   --seed N          the same seed makes the same cases; default: a new one every time
 *   --only <target>   one target
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { assertFreshDist } from '../../scripts/build.ts';
import { formatTable, today, writeRecord } from '../record.ts';
import { keep } from './kept.ts';
import type { Target } from './target.ts';
import { TARGETS } from './targets.ts';

const LANES = 2;
/** How many runs may be spent on making a failing case smaller. */
const MAX_SHRINKS = 40;

interface Tally {
  runs: number;
  readonly failures: Failure[];
}

interface Failure {
  readonly seed: number;
  readonly message: string;
  readonly file: string;
}

/** @returns whether every case passed */
export async function runFuzz(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      only: { type: 'string' },
    },
  });
  const seed = Number(values.seed);
  const targets = TARGETS.filter(({ name }) => values.only === undefined || name === values.only);
  if (!(Number(values.minutes) > 0) || !Number.isInteger(seed) || targets.length === 0)
    throw new Error(`--minutes and --seed take numbers, --only one of: ${TARGETS.map(({ name }) => name).join(', ')}.`);
  const milliseconds = (Number(values.minutes) * 60_000) / targets.length;

  await assertFreshDist();
  const emulator = await startEmulator();
  const rows: FuzzedTarget[] = [];
  try {
    for (const target of targets) {
      const begun = performance.now();
      const tally: Tally = { runs: 0, failures: [] };
      const lanes = Array.from({ length: LANES }, (_, lane) => lane);
      await Promise.all(
        lanes.map(async (lane) => await fuzz(target, emulator, seed + lane * 1_000_000, begun + milliseconds, tally)),
      );
      const seconds = Math.round((performance.now() - begun) / 1000);
      rows.push({ name: target.name, runs: tally.runs, seconds, failures: tally.failures.length });
      console.log(`${target.name}: ${tally.runs} runs in ${seconds} s, ${tally.failures.length} failed`);
    }
  } finally {
    await emulator.close();
  }
  const counted = tableOf(rows);
  console.log(`\n${counted}`);
  // The record shows all targets of one run.
  if (targets.length === TARGETS.length) writeRecord('fuzz', `Last run: ${today()}, seed ${seed}.\n\n${counted}`);
  return rows.every(({ failures }) => failures === 0);
}

interface FuzzedTarget {
  readonly name: string;
  readonly runs: number;
  readonly seconds: number;
  readonly failures: number;
}

function tableOf(rows: readonly FuzzedTarget[]): string {
  const sum = (of: (row: FuzzedTarget) => number): string => `**${rows.reduce((all, row) => all + of(row), 0)}**`;
  return formatTable(
    ['target', 'runs', 'seconds', 'failed'],
    ['---', '---:', '---:', '---:'],
    [
      ...rows.map(({ name, runs, seconds, failures }) => [name, runs, seconds, failures]),
      ['**all**', sum(({ runs }) => runs), sum(({ seconds }) => seconds), sum(({ failures }) => failures)],
    ],
  );
}

/** Plays cases until the time is over. After a failure it continues with another seed. */
async function fuzz(target: Target, emulator: Emulator, seed: number, until: number, tally: Tally): Promise<void> {
  await using stage = await target.open(emulator);
  let playing: Promise<void> = Promise.resolve();
  for (let next = seed; performance.now() < until; next += 1) {
    let shrinks = 0;
    let hasFailed = false;
    const property = fc.asyncProperty(target.cases, async (json) => {
      if (hasFailed && ++shrinks > MAX_SHRINKS) return;
      tally.runs += 1;
      try {
        playing = stage.play(json);
        await playing;
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    });
    const details = await fc.check(property, {
      seed: next,
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: Math.max(1, until - performance.now()),
    });
    // At the time limit fast-check does not wait for the current case, which still needs the emulator and its files.
    await playing.catch(() => undefined);
    const [json] = details.counterexample ?? [];
    if (!details.failed || json === undefined) return;
    const error = details.errorInstance;
    const message = error instanceof Error ? error.message : String(error);
    const file = await keep(target.name, json, message);
    tally.failures.push({ seed: next, message, file });
    console.log(`${target.name}, seed ${next}: ${path.basename(file)}\n${message.slice(0, 2_000)}\n`);
  }
}
