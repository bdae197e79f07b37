import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** All generated cases, of which `npm test` runs a sample, and the waits with the real clock. */
export default defineConfig({ test: { ...base.test, env: { TEST_DEEP: '1' } } });
