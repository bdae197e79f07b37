/**
 * What takes too long for every change: whether the tests notice what they should. Each part is a folder, and writes what
 * it has measured into deep/README.md.
 *
 *   npm run deep                         everything
 *   npm run deep -- coverage
 *   npm run deep -- mutation [area …]    one part; what follows is for it
 *   npm run deep -- fuzz --minutes 60
 *   npm run deep -- defects --only storage
 */
import { fileURLToPath } from 'node:url';
import { installOwnPackages } from '../scripts/own-packages.ts';
import { countCoverage } from './coverage/run.ts';
import { plantDefects } from './defects/run.ts';
import { runFuzz } from './fuzz/run.ts';
import { testMutants } from './mutation/run.ts';

/** @returns whether all is well; it has told what is not */
type Part = (args: readonly string[]) => Promise<boolean>;

const PARTS: ReadonlyMap<string, Part> = new Map([
  ['defects', plantDefects],
  ['coverage', countCoverage],
  ['fuzz', runFuzz],
  ['mutation', testMutants],
]);

async function runParts([name, ...args]: readonly string[]): Promise<boolean> {
  const parts = [...PARTS].filter(([each]) => name === undefined || each === name);
  if (parts.length === 0) {
    console.error(`There is no part "${name}", only: ${[...PARTS.keys()].join(', ')}.`);
    return false;
  }
  if (installOwnPackages(fileURLToPath(new URL('.', import.meta.url))) !== 0) return false;
  let isWell = true;
  for (const [, part] of parts) isWell = (await part(args)) && isWell;
  return isWell;
}

process.exitCode = (await runParts(process.argv.slice(2))) ? 0 : 1;
