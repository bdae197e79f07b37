/**
 * Slow checks of the tests themselves. deep/README.md says how to read what they print.
 *
 *   npm run deep                            everything
 *   npm run deep -- fuzz [target …]         FUZZ_MINUTES=60 for each target, TEST_SEED=7 for other cases
 *   npm run deep -- mutation [folder …]     folders of src/
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execute, installOwnPackages } from '../scripts/suite.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Decisions, where a small change is most likely to matter. */
const FOLDERS = ['plan', 'service', 'state', 'verdict', 'waivers'];

/** Each returns its exit status. */
const PARTS = new Map([
  ['fuzz', fuzz],
  ['mutation', mutate],
]);

function fuzz(targets: readonly string[]): number {
  return execute('vitest', ['run', '--project', 'fuzz', ...targets], ROOT);
}

/** One folder after the other: each with its own tests only, which takes a fraction of the time. */
function mutate(folders: readonly string[]): number {
  const installed = installOwnPackages(HERE);
  if (installed !== 0) return installed;
  const statuses = (folders.length > 0 ? folders : FOLDERS).map((folder) => {
    process.env['MUTATED_FOLDER'] = folder;
    const stryker = 'deep/node_modules/@stryker-mutator/core/bin/stryker.js';
    const args = [stryker, 'run', 'deep/stryker.config.json', '--mutate', filesWithTests(folder).join()];
    return execute(process.execPath, args, ROOT);
  });
  return Math.max(...statuses);
}

/** The others are tested at the front door only. */
function filesWithTests(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, 'src', folder))
    .filter((name) => existsSync(path.join(ROOT, 'test', folder, name.replace(/\.ts$/, '.test.ts'))))
    .map((name) => `src/${folder}/${name}`);
}

const [name, ...args] = process.argv.slice(2);
const parts = [...PARTS].filter(([each]) => name === undefined || each === name);
if (parts.length === 0) throw new Error(`There is no part "${name}". Parts are: ${[...PARTS.keys()].join(', ')}.`);
for (const [, part] of parts) process.exitCode = part(args) || process.exitCode || 0;
