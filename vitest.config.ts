import { availableParallelism } from 'node:os';
import { defineConfig, type Plugin } from 'vitest/config';
import { generatePageAssets } from './scripts/page-assets.ts';

/** Where .ci/run counts the tests. */
const results = process.env['TEST_RESULTS'];

const isPage = (id: string): boolean => id.endsWith('/report/page/generated.ts');

/** Tests open the page of the sources as they are now, made when one of them needs it. */
const page: Plugin = {
  name: 'page',
  load: async (id) => (isPage(id) ? await generatePageAssets() : undefined),
  // Vitest keeps modules by their own content, which does not change with that of app/.
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (isPage(id) ? false : undefined)),
};

export default defineConfig({
  plugins: [page],
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
    // A page on a busy machine may take longer than the default of a second.
    expect: { poll: { timeout: 60_000 } },
  },
});
