import type { Area } from './areas.ts';

/** As much of Stryker's result as is used here. Its own types are not known where it is not installed. */
export interface Mutant {
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
  /** From 1. */
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

interface StrykerModule {
  readonly Stryker: new (options: Record<string, unknown>) => { runMutationTest(): Promise<readonly Mutant[]> };
}

/** Tells our vitest configuration which tests to run: Stryker's processes hand it on. */
export const TESTS_VARIABLE = 'MUTATION_TESTS';

const WORK = 'deep/.stryker';
const PACKAGE: string = '@stryker-mutator/core';

/** Changes the area's files in every way that Stryker knows, one at a time, and runs the tests that reach the change. */
export async function mutantsOf({ name, files, tests }: Area): Promise<readonly Mutant[]> {
  process.env[TESTS_VARIABLE] = JSON.stringify(tests.map((test) => `test/${test}`));
  const { Stryker }: StrykerModule = await import(PACKAGE);
  const stryker = new Stryker({
    mutate: files.map((file) => `src/${file}`),
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'deep/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // Long, because on a busy machine a slow run must not pass for a mutant that never ends.
    timeoutMS: 20_000,
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
    warnings: { slow: false },
    logLevel: 'warn',
    tempDirName: `${WORK}/tmp`,
    incremental: true,
    incrementalFile: `${WORK}/${name.replaceAll(' ', '-')}.json`,
    // Not copied: what no test of these needs. Stryker cannot read a tsconfig.json with TypeScript 7, nor has to.
    ignorePatterns: ['/dist', '/docs', '/examples', '/deep/node_modules', `/${WORK}`, '/tsconfig*.json'],
  });
  return await stryker.runMutationTest();
}
