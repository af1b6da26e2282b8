import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/kit/run/longest-first.ts';
import { projectsOf } from './test/kit/run/projects.ts';
import { tier } from './test/kit/run/tiers.ts';

/** Milliseconds for a test. In test:all some run hundreds of commands, kills or statements of a server, in soak thousands. */
const timeout = { usual: 60_000, all: 180_000, soak: 7_200_000 }[tier];

export default defineConfig({
  test: {
    testTimeout: timeout,
    hookTimeout: timeout,
    // What is waited for comes when it comes: on a busy machine much later than after vitest's one second.
    expect: { poll: { timeout: 50_000, interval: 20 } },
    pool: 'forks',
    // In their order: the first one is there when others import the host.
    sequence: { sequencer: LongestFirst, setupFiles: 'list' },
    setupFiles: ['test/kit/run/own-imports.ts', 'test/kit/structures/every-call.ts'],
    globalSetup: [
      'test/kit/compile-cache.ts',
      'test/kit/run/own-folder.ts',
      'test/kit/run/git-settings.ts',
      'test/kit/homes/state-folder.ts',
      'test/kit/built-package.ts',
      'test/kit/shared-postgres.ts',
    ],
    // Node's own loader, as in production: plugins import "pegboard" and must get the very modules that the host runs.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: projectsOf(tier).map(({ include, exclude, order, ...project }) => ({
      extends: true as const,
      test: { ...project, include: [...include], exclude: [...exclude], sequence: { groupOrder: order } },
    })),
  },
});
