import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/windows/*.spec.ts'],
    globalSetup: ['test/harness/fresh-bundle.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
