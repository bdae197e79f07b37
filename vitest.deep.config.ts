import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Everything that `npm test` runs, and the generated cases and long waits that it leaves out. */
export default defineConfig({ test: { ...base.test, include: ['test/**/*.{test,deep}.ts'], maxConcurrency: 5 } });
