import { globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../project.ts';

/** A folder of `src/`, or the files in none, with the tests that have to notice a change there. */
export interface Area {
  readonly name: string;
  /** A glob pattern. */
  readonly sources: string;
  /** Paths of test files that import the sources; those in no folder test the whole run. */
  readonly unitTests: readonly string[];
  /** Paths of test files that start the action as a process. */
  readonly frontDoorTests: readonly string[];
}

/** The area of the files that are in no folder. */
const TOP = 'run';

/** Found on disk, so that a file that moves needs no change here. */
export function findAreas(): readonly Area[] {
  const folders = readdirSync(path.join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  const frontDoorTests = find('test/gate/*.test.ts');
  const runTests = find('test/*.test.ts');
  return [
    { name: TOP, sources: 'src/*.ts', unitTests: runTests, frontDoorTests },
    ...folders.map((name) => ({
      name,
      sources: `src/${name}/**/*.ts`,
      unitTests: [...find(`test/${name}/**/*.test.ts`), ...runTests],
      frontDoorTests,
    })),
  ];
}

function find(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
}
