import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Counts the action's own processes, too. */
export default defineConfig({
  root: at('../../'),
  test: {
    ...base.test,
    // The matrices take the same paths in many hundreds of processes; the rest has nothing to do with src/.
    exclude: ['test/faults/*matrix.test.ts', 'test/{emulator,integration,project,workflows}/**'],
    // The sources themselves, because the bundle has other lines. Node takes the types out and leaves all else in place.
    env: { GATE_BUNDLE: at('../../src/main.ts') },
    experimental: { viteModuleRunner: false },
    // Processes start slowly where everything is counted and nothing is bundled.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    coverage: {
      ...base.test?.coverage,
      enabled: true,
      autoAttachSubprocess: true,
      // Of a run that failed nothing is recorded.
      reportOnFailure: false,
      reporter: [[at('report.ts'), {}]],
    },
  },
});
