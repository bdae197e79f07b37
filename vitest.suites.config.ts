import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** The suites of scripts/suite.ts, each in its folder of test/. */
const SUITES = ['integration', 'runner', 'validators', 'windows'];

export default defineConfig({
  test: {
    // Most tests wait for processes, servers and a clock.
    maxWorkers: availableParallelism() + 1,
    // The artifact service of the integration tests logs everything it does.
    silent: 'passed-only',
    projects: SUITES.map((name) => ({
      test: {
        name,
        include: [`test/${name}/*.spec.ts`],
        testTimeout: 300_000,
        hookTimeout: 300_000,
      },
    })),
  },
});
