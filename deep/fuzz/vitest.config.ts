import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** A target plays cases for minutes. */
export default defineConfig({
  test: { ...base.test, include: ['deep/fuzz/*.fuzz.ts'], testTimeout: 24 * 3_600_000 },
});
