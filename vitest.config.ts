import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Tests share no module state, so one worker context serves all files: starting one per file costs ten times the tests.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
