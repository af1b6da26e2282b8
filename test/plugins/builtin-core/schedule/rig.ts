import { isAtWork, leaveBehind } from '../../../kit/engine/engine-at-work.ts';
import { openEngineOn } from '../../../kit/engine/open-engine.ts';
import type { Deliver } from '../../../../host/api/channels/channel.ts';
import type { IncomingMessage, Reply } from '../../../../host/api/conversation.ts';
import { silentLogger } from '../../../../host/core/log.ts';
import { createPluginTables } from '../../../../host/store/database/plugin-tables.ts';
import { coreTables } from '../../../kit/core-tables.ts';
import { migrations } from '../../../../plugins/builtin-core/migrations.ts';
import type { Clock } from '../../../../host/api/surroundings.ts';
import { createClaims, runQueue, type Claims } from '../../../../plugins/builtin-core/schedule/claims.ts';
import { createPerform } from '../../../../plugins/builtin-core/schedule/perform.ts';
import { startScheduler, type Scheduler } from '../../../../plugins/builtin-core/schedule/scheduler.ts';
import { createSchedule, type ScheduleRequest } from '../../../../plugins/builtin-core/schedule/schedules.ts';
import { createScheduleStore, type ScheduleStore } from '../../../../plugins/builtin-core/schedule/store.ts';
import type { ScheduleTables } from '../../../../plugins/builtin-core/schedule/tables.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { databaseOf } from '../../../kit/database.ts';

/** Schedules in a real database, with a clock that the test moves and an agent that the test scripts. */
export interface Rig extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly store: ScheduleStore;
  readonly claims: Claims;
  /** What the agent was asked, in order. */
  readonly asked: IncomingMessage[];
  /** "channel/chat: text" of what was delivered, in order. */
  readonly delivered: string[];
  /** The same for messages in the history of conversations. */
  readonly noted: string[];
  /** What the agent does; by default it says "done". */
  answer: (message: IncomingMessage) => Promise<Partial<Reply>>;
  deliver: Deliver;
  /** By the rig's clock, or for one more by its `second`. */
  start(clock?: Clock): Promise<Scheduler>;
  /** Simulates the death of the process with this run. */
  orphan(run: number): Promise<void>;
  add(request: Partial<ScheduleRequest> & Pick<ScheduleRequest, 'text'>): Promise<number>;
  /** Due times and states of what ran, oldest first. */
  runs(): Promise<readonly string[]>;
}

const chat = { channel: 'telegram', chat: '7' };

export async function openRig(start: string): Promise<Rig> {
  const home = await createHome();
  const database = databaseOf(home);
  const tables = createPluginTables<ScheduleTables>(database, coreTables, migrations);
  const engine = await openEngineOn(database);
  await engine.define([runQueue]);
  let answering = 0;
  const clock = createFakeClock(start, () => isAtWork(database, engine, answering));
  const store = createScheduleStore(tables);
  const claims = createClaims(tables, engine);
  const started: Scheduler[] = [];
  const rig: Rig = {
    clock,
    store,
    claims,
    asked: [],
    delivered: [],
    noted: [],
    answer: async () => ({ text: 'done' }),
    async deliver(to, { text }) {
      rig.delivered.push(`${to.channel}/${to.chat}: ${text}`);
    },
    async start(own: Clock = clock) {
      const scheduler = await startScheduler({
        store,
        engine,
        claims,
        perform: createPerform(async (message) => {
          rig.asked.push(message);
          answering++;
          try {
            return { untrusted: [] as const, ...(await rig.answer(message)) } as unknown as Reply;
          } finally {
            answering--;
          }
        }),
        deliver: (...args) => rig.deliver(...args),
        history: {
          async note({ source, externalId }, { text }) {
            rig.noted.push(`${source}/${externalId}: ${text}`);
          },
        },
        clock: own,
        log: silentLogger,
      });
      started.push(scheduler);
      return scheduler;
    },
    async add(request) {
      const services = {
        context: { timezone: 'UTC', embed: () => Promise.resolve(undefined) },
        store,
        clock,
      };
      const origin = { agent: undefined, creator: 'test', chat, limits: undefined, untrusted: [] };
      const { schedule } = await createSchedule({ kind: 'instruction', ...request }, origin, services);
      return schedule.id;
    },
    async orphan(run) {
      const open = await tables.open();
      const { job } = await open
        .selectFrom('scheduler_runs')
        .select('job')
        .where('id', '=', run)
        .executeTakeFirstOrThrow();
      await leaveBehind(database, job!);
    },
    async runs() {
      const runs = await store.runs(undefined, 10_000);
      return runs.toReversed().map(({ due_at: due, state }) => `${due.replace('.000Z', 'Z')} ${state}`);
    },
    async [Symbol.asyncDispose]() {
      for (const scheduler of started) await scheduler[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
  return rig;
}
