import { defineConfig } from 'vitest/config';
import { TESTS_VARIABLE } from './stryker.ts';

/** The tests of one area. Stryker starts vitest with this file, and nothing of its own says which tests there are. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env[TESTS_VARIABLE] ?? '[]'),
    setupFiles: ['deep/mutation/same-seed.ts'],
    isolate: false,
    testTimeout: 60_000,
  },
});
