import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** All generated cases of the fault matrices and the waits with the real clock, of which `npm test` runs a sample. */
export default defineConfig({ test: { ...base.test, env: { TEST_DEEP: '1' } } });
