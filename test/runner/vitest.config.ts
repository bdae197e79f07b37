import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/runner/*.spec.ts'],
    globalSetup: ['test/harness/fresh-bundle.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
