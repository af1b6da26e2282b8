import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEngineOn } from '../../../kit/engine/open-engine.ts';
import type { Reply } from '../../../../host/api/conversation.ts';
import type { Logger } from '../../../../host/api/log.ts';
import { PegboardError } from '../../../../host/core/errors.ts';
import { createPluginTables } from '../../../../host/store/database/plugin-tables.ts';
import { coreTables } from '../../../kit/core-tables.ts';
import type { Clock } from '../../../../host/api/surroundings.ts';
import { migrations } from '../../../../plugins/builtin-core/migrations.ts';
import { createClaims, toIso } from '../../../../plugins/builtin-core/schedule/claims.ts';
import { createPerform } from '../../../../plugins/builtin-core/schedule/perform.ts';
import { startScheduler } from '../../../../plugins/builtin-core/schedule/scheduler.ts';
import { createScheduleStore } from '../../../../plugins/builtin-core/schedule/store.ts';
import type { ScheduleTables } from '../../../../plugins/builtin-core/schedule/tables.ts';
import { databaseOf } from '../../../kit/database.ts';

/** How many times faster time runs in a soak test. */
const speed = 2_000;
export const firstMoment = Date.parse('2026-03-28T22:00:00Z');

/**
 * The same for all processes of a seed: `began` is the real moment that stands for the first one. It stops at `until`: a
 * busy machine, on which time passes while nothing runs, has no more to catch up with.
 */
function fastClock(began: number, until: number): Clock {
  return {
    now: () => Math.min(until, firstMoment + (Date.now() - began) * speed),
    monotonic: () => performance.now() * speed,
    sleep: (ms, signal) => delay(ms / speed, undefined, { signal }).catch(() => {}),
  };
}

/** An hour after the first moment; whoever sleeps sleeps until it is stopped. */
export const stoppedClock: Clock = {
  now: () => firstMoment + 3_600_000,
  monotonic: () => 0,
  sleep: async (_ms, signal) => void (signal.aborted || (await once(signal, 'abort'))),
};

/** Of a run: it is claimed and nothing has happened yet, or its effect has happened and is not recorded. */
export type Moment = 'claimed' | 'effect';

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];

/**
 * A scheduler on a home's real database. Each effect of a run is a line in `effects`, each sent message one in
 * `delivered`.
 */
export function openScheduleRig(
  home: string,
  began: number,
  {
    failed,
    longestRunMs,
    until = Infinity,
    clock = fastClock(began, until),
    at = () => {},
  }: {
    readonly failed: (text: string) => void;
    readonly longestRunMs: number;
    readonly until?: number;
    readonly clock?: Clock;
    readonly at?: (moment: Moment) => void;
  },
) {
  const database = databaseOf(home);
  const tables = createPluginTables<ScheduleTables>(database, coreTables, migrations);
  const store = createScheduleStore(tables);
  const messages = (_key: string, value: unknown): unknown =>
    value instanceof Error ? value.message : value;
  const note = (message: string, fields?: object): void =>
    failed(`${message} ${JSON.stringify(fields, messages)}`);
  const log: Logger = { debug() {}, info() {}, warn: note, error: note, child: () => log };
  return {
    database,
    tables,
    store,
    clock,
    async start() {
      const engine = await openEngineOn(database);
      return await startScheduler({
        store,
        engine,
        claims: createClaims(tables, engine),
        clock,
        log,
        history: { note: () => Promise.resolve() },
        async perform(run, schedule, occurrence, signal) {
          const text = `${schedule.id} ${toIso(occurrence.due)}`;
          // Like a turn: what had ended is known, and what had only begun is not repeated.
          const perform = createPerform(async () => {
            const reply = { text, untrusted: [] } as unknown as Reply;
            if (linesOf(join(home, 'ended')).includes(text)) return reply;
            if (linesOf(join(home, 'effects')).includes(text))
              throw new PegboardError('PEG_UNCERTAIN', 'it had begun');
            at('claimed');
            appendFileSync(join(home, 'effects'), `${text}\n`);
            at('effect');
            await delay(Math.random() * longestRunMs);
            appendFileSync(join(home, 'ended'), `${text}\n`);
            return reply;
          });
          return await perform(run, schedule, occurrence, signal);
        },
        async deliver(_chat, { text }) {
          appendFileSync(join(home, 'delivered'), `${text.split('\n')[0]}\n`);
        },
      });
    },
  };
}
