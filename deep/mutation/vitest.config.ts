import { defineConfig } from 'vitest/config';

/** For the copy of the project that holds the mutants: the build of the action is given by GATE_BUNDLE. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['deep/mutation/setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
