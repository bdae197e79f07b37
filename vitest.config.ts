import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Where .ci/run counts the tests. */
const results = process.env['TEST_RESULTS'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/fresh-bundle.ts'],
    reporters: ['default', './test/harness/skips.ts', ...(results ? ['json'] : [])],
    ...(results && { outputFile: { json: results } }),
    // Tests share no module state, so one worker context serves all files: starting one per file costs ten times the tests.
    isolate: false,
    // More than there are cores, because most tests wait for processes, servers and a clock.
    maxWorkers: availableParallelism() + 1,
    // Of one file; each is a process of its own.
    maxConcurrency: 3,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
