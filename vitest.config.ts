import { defineConfig } from 'vitest/config';

const alone = ['test/conformance/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Node's own loader, as in production: plugins import "pegboard" and must get the very modules that the host runs.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'pegboard',
          include: ['test/**/*.test.ts'],
          exclude: alone,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // MCP's suite starts all of its clients at once: whatever runs beside it runs out of time.
        extends: true,
        test: { name: 'conformance', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
