import { defineConfig } from 'vitest/config';

/** Stryker runs the unit tests of the folder that it mutates; deep/main.ts sets its name. */
export default defineConfig({
  test: {
    include: [`test/${process.env['MUTATED_FOLDER']}/*.test.ts`],
    setupFiles: './test/harness/before-file.ts',
    testTimeout: 180_000,
  },
});
