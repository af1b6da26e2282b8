import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
    // Node's own loader, as in production: plugins import "pegboard" and must get the very modules that the host runs.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
