import { availableParallelism } from 'node:os';
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config';
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

/** A run of single files builds the action only if one of them starts it. */
const namesFiles = process.argv.some((argument) => argument.startsWith('test/'));

function project(name: string, include: string, minutes: number, maxConcurrency = 3): TestProjectInlineConfiguration {
  const timeout = minutes * 60_000;
  const limits = { maxConcurrency, testTimeout: timeout, hookTimeout: timeout };
  const globalSetup = include.startsWith('test/') && !namesFiles ? ['./test/harness/build-first.ts'] : [];
  return { extends: true, test: { name, include: [include], globalSetup, ...limits } };
}

/** The suites of scripts/suite.ts, each in its folder of test/. */
const SUITES = ['runner', 'validators'];

export default defineConfig({
  plugins: [page],
  test: {
    projects: [
      project('test', 'test/**/*.test.ts', 3),
      // The built action in every situation, and its page in a browser.
      project('gate', 'test/**/*.gate.ts', 3),
      // The generated cases.
      project('deep', 'test/**/*.deep.ts', 3, 5),
      ...SUITES.map((name) => project(name, `test/${name}/*.spec.ts`, 5)),
      // A target plays cases for as long as FUZZ_MINUTES says.
      project('fuzz', 'deep/fuzz/*.fuzz.ts', 24 * 60),
    ],
    reporters: ['default', './test/harness/skips.ts', ...(results ? ['json'] : [])],
    ...(results && { outputFile: { json: results } }),
    // Tests share no module state, so one worker context serves all files: starting one per file costs ten times the tests.
    isolate: false,
    setupFiles: './test/harness/before-file.ts',
    // More than there are cores, because most tests wait for processes, servers and a clock.
    maxWorkers: availableParallelism() + 1,
    // The client of artifacts logs everything it does.
    silent: 'passed-only',
    // A page on a busy machine may take longer than the default of a second.
    expect: { poll: { timeout: 60_000 } },
  },
});
