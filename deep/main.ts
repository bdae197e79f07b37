/**
 * Checks of the tests themselves, which take too long for every change. Each part writes its results into deep/README.md.
 *
 *   npm run deep                         everything
 *   npm run deep -- mutation [area …]    one part, with its options
 *   npm run deep -- fuzz --minutes 60
 *   npm run deep -- planted --only storage
 */
import { fileURLToPath } from 'node:url';
import { installOwnPackages } from '../scripts/own-packages.ts';
import { runFuzz } from './fuzz/run.ts';
import { testMutants } from './mutation/run.ts';
import { plantBugs } from './planted/run.ts';

/** @returns whether it passed; it prints what did not */
type Part = (args: readonly string[]) => Promise<boolean>;

const PARTS: ReadonlyMap<string, Part> = new Map([
  ['planted', plantBugs],
  ['fuzz', runFuzz],
  ['mutation', testMutants],
]);

async function runParts([name, ...args]: readonly string[]): Promise<boolean> {
  const parts = [...PARTS].filter(([each]) => name === undefined || each === name);
  if (parts.length === 0) {
    console.error(`There is no part "${name}". Parts are: ${[...PARTS.keys()].join(', ')}.`);
    return false;
  }
  if (installOwnPackages(fileURLToPath(new URL('.', import.meta.url))) !== 0) return false;
  let isPassed = true;
  for (const [, part] of parts) isPassed = (await part(args)) && isPassed;
  return isPassed;
}

// Ctrl+C does not reach the tests, which run in other process groups: they are stopped at the exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exitCode = (await runParts(process.argv.slice(2))) ? 0 : 1;
