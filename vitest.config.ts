import { defineConfig } from 'vitest/config';
import { hasPostgres } from './test/kit/postgres-programs.ts';
import { LongestFirst } from './test/kit/longest-first.ts';
import { isSoak } from './test/kit/soak.ts';

/** Many clients at once, and milliseconds that are compared: whatever runs beside them decides how they end. */
const alone = ['test/system/conformance/client.test.ts', 'test/host/sources/manifests/speed.test.ts'];
/**
 * A process for each file: they measure memory and descriptors, load code that nothing unloads again, or feed Node's own
 * TypeScript parser what may break it for the rest of its process.
 */
const apart = [
  'test/system/boundaries/**/*.test.ts',
  'test/host/core/processes/**/*.test.ts',
  'test/system/fuzz/**/*.test.ts',
  'test/host/plugins/**/*.test.ts',
  'test/host/scripts/sandbox/**/*.test.ts',
  'test/plugins/builtin-core/filesystem/access/reach.test.ts',
  'test/system/sandbox/**/*.test.ts',
];

/** What is stored, once more in homes whose state is on Postgres: `databaseOf` and `createHome` of test/kit see to it. */
const stores = [
  'test/host/store/conversations/**/*.test.ts',
  'test/host/agent/commands/**/*.test.ts',
  'test/host/store/usage/**/*.test.ts',
  'test/host/store/vectors.test.ts',
  'test/host/store/retention.test.ts',
  'test/host/meta/background-run.test.ts',
  'test/host/dispatch/ask-everywhere.test.ts',
  'test/host/dispatch/call-ask.test.ts',
  'test/host/channels/every-channel.test.ts',
  'test/host/web/usage.test.ts',
  'test/host/web/chat/chat.test.ts',
  'test/plugins/builtin-core/memory/**/*.test.ts',
  'test/plugins/builtin-core/schedule/{command,kill,scheduler,tools}.test.ts',
  'test/plugins/builtin-core/watchers/**/*.test.ts',
  'test/plugins/builtin-core/channels/**/*.test.ts',
];

/** It brings its own Postgres. */
const pgvector = 'test/plugins/builtin-core/memory/vectors/pgvector.test.ts';

/** They take a minute each on Postgres, and what they use of it is tested by others: with PEGBOARD_SOAK they run too. */
const slowOnPostgres = [
  'test/plugins/builtin-core/memory/quality.test.ts',
  'test/plugins/builtin-core/schedule/kill.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes when it comes: on a busy machine much later than after vitest's one second.
    expect: { poll: { timeout: 100_000 } },
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/kit/structures/every-call.ts'],
    globalSetup: [
      'test/kit/compile-cache.ts',
      'test/kit/homes/state-folder.ts',
      'test/kit/built-package.ts',
      'test/kit/shared-postgres.ts',
    ],
    // Node's own loader, as in production: plugins import "pegboard" and must get the very modules that the host runs.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'pegboard',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...apart],
          // One process runs file after file, and loads the host once: whoever changes it (environment, clocks) puts it back.
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'apart', include: apart, maxWorkers: 4, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: hasPostgres ? stores : [],
          exclude: [pgvector, ...(isSoak ? [] : slowOnPostgres)],
          env: { PEGBOARD_TEST_STATE: 'postgres' },
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
