import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The generated cases and long waits that `npm test` leaves out. */
export default defineConfig({ ...base, test: { ...base.test, include: ['test/**/*.deep.ts'], maxConcurrency: 5 } });
