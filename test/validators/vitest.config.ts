import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/validators/*.spec.ts'],
    globalSetup: ['test/harness/fresh-bundle.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
