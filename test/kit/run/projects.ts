import { availableParallelism } from 'node:os';
import { hasPostgres } from '../postgres-programs.ts';
import { leftOutOf, type Tier } from './tiers.ts';

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
  'test/plugins/builtin-scripts/sandbox/**/*.test.ts',
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
  'test/plugins/builtin-channels/every-channel.test.ts',
  'test/plugins/builtin-page/usage.test.ts',
  'test/plugins/builtin-page/chat/chat.test.ts',
  'test/plugins/builtin-core/memory/**/*.test.ts',
  'test/plugins/builtin-core/schedule/{command,kill,kill.all,scheduler,tools}.test.ts',
  'test/plugins/builtin-core/watchers/**/*.test.ts',
  'test/plugins/builtin-core/channels/**/*.test.ts',
];

/** It brings its own Postgres. */
const pgvector = 'test/plugins/builtin-core/memory/vectors/pgvector.test.ts';

/** They take a minute each on Postgres, and what they use of it is tested by others. */
const slowOnPostgres = [
  'test/plugins/builtin-core/memory/quality*.test.ts',
  'test/plugins/builtin-core/schedule/kill*.test.ts',
];

interface Project {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxWorkers: number;
  /** One process runs file after file, and loads the host once: whoever changes it (environment, clocks) puts it back. */
  readonly isolate: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** What runs before projects of a higher number. */
  readonly order: number;
}

/** One more than cores: a third of its time, a worker waits for processes and time limits. */
const workers = availableParallelism() + 1;
const usual = { maxWorkers: workers, isolate: false, env: {}, order: 0 };

/** The vitest projects of a tier. Each file that a tier has is in one, those of stores also in `postgres`. */
export function projectsOf(tier: Tier): readonly Project[] {
  const exclude = leftOutOf(tier);
  const onPostgres = {
    ...usual,
    name: 'postgres',
    include: stores,
    exclude: [...exclude, pgvector, ...(tier === 'soak' ? [] : slowOnPostgres)],
    env: { PEGBOARD_TEST_STATE: 'postgres' },
  };
  return [
    { ...usual, name: 'pegboard', include: ['test/**/*.test.ts'], exclude: [...exclude, ...alone, ...apart] },
    { ...usual, name: 'apart', include: apart, exclude, isolate: true },
    ...(tier !== 'usual' && hasPostgres ? [onPostgres] : []),
    { ...usual, name: 'alone', include: alone, exclude, maxWorkers: 1, order: 1, isolate: true },
  ];
}
