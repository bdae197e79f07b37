import { mkdirSync } from 'node:fs';
import path from 'node:path';

/**
 * A folder of this step alone: `name`, or `name-2` and so on if another step of the job has it. Steps inside a composite
 * action cannot be told apart by the runner's variables. The runner empties its temporary folder before each job; without
 * one, as on another machine, the folder is shared by all runs.
 */
export function claimFolder(temp: string, fallback: string, name: string): string {
  if (temp === '') return path.join(fallback, name);
  for (let number = 1; ; number++) {
    const folder = path.join(temp, number === 1 ? name : `${name}-${number}`);
    try {
      mkdirSync(folder);
      return folder;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      // The code that writes there reports the problem.
      if (!isTaken) return folder;
    }
  }
}
