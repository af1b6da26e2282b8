import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import type { IncomingMessage } from '../../../../host/api/conversation.ts';
import { silentLogger } from '../../../../host/core/log.ts';
import type { PluginServices } from '../../../../host/plugins/context.ts';
import { createFileOrigins } from '../../../../host/store/files/file-origins.ts';
import { createPluginTables } from '../../../../host/store/database/plugin-tables.ts';
import { coreTables } from '../../../kit/core-tables.ts';
import { createRoots } from '../../../../plugins/builtin-core/filesystem/access/roots.ts';
import { migrations } from '../../../../plugins/builtin-core/migrations.ts';
import { startWatchers } from '../../../../plugins/builtin-core/watchers/runner.ts';
import { createWatcherStore } from '../../../../plugins/builtin-core/watchers/store.ts';
import type { WatcherTables } from '../../../../plugins/builtin-core/watchers/tables.ts';
import { isAtWork } from '../../../kit/engine/engine-at-work.ts';
import { openEngineOn } from '../../../kit/engine/open-engine.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { createFakeClock } from '../fake-clock.ts';
import { databaseOf } from '../../../kit/database.ts';

/** A runner with a clock that the test moves, on a real database and real files. */
export async function openRunner(
  dispatch: PluginServices['dispatch'],
  scopeFor: PluginServices['agents']['scopeFor'] = () => ({ identity: 'agent', access: {} }),
) {
  const home = await createHome();
  const database = databaseOf(home);
  const tables = createPluginTables<WatcherTables>(database, coreTables, migrations);
  const engine = await openEngineOn(database);
  const store = createWatcherStore(tables);
  const clock = createFakeClock('2026-05-01T08:00:00Z', () => isAtWork(database, engine));
  const delivered: string[] = [];
  const heard: IncomingMessage[] = [];
  const runners: AsyncDisposable[] = [];
  const at = new Date(clock.now()).toISOString();
  return {
    home,
    tables,
    store,
    clock,
    delivered,
    heard,
    async start(own = clock as Parameters<typeof startWatchers>[0]['clock']) {
      const runner = await startWatchers({
        store,
        engine,
        clock: own,
        dispatch,
        log: silentLogger,
        roots: createRoots(home.path, processSurroundings(), [], () => {}),
        origins: createFileOrigins(home.path, processSurroundings()),
        agents: {
          agentFor: () => undefined as never,
          scopeFor,
          changeIdentity: async () => {},
        },
        converse: async (message) => {
          heard.push(message);
          return { text: `did: ${message.text.split('\n').at(-1)}` } as never;
        },
        deliver: async ({ channel, chat }, { text }) => void delivered.push(`${channel}/${chat}: ${text}`),
      });
      runners.push(runner);
      return runner;
    },
    add: (target: object, action: object, more: object = {}) =>
      store.add({
        target: JSON.stringify(target),
        interval_s: 60,
        acts_on: 'change',
        action: JSON.stringify(action),
        rights: JSON.stringify({ identity: 'host', access: {} }),
        creator: 'test',
        channel: 'telegram',
        chat: '7',
        untrusted: null,
        state: 'active',
        seen: null,
        checked_at: null,
        next_at: at,
        failures: 0,
        last_error: null,
        created_at: at,
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      for (const runner of runners) await runner[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}
