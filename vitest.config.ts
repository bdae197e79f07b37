import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { generatePageAssets } from './scripts/page-assets.ts';

/** Where .ci/run counts the tests. */
const results = process.env['TEST_RESULTS'];

export default defineConfig({
  // Tests open the page of the sources as they are now, made when one of them needs it.
  plugins: [
    {
      name: 'page',
      load: async (id) => (id.endsWith('/report/page/generated.ts') ? await generatePageAssets() : undefined),
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
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
