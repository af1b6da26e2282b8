import { durably, type Engine, type QueueDefinition } from 'pegboard';
import type { Kysely } from 'kysely';
import type { Occurrence } from './plan.ts';
import type { Schedule, ScheduleDatabase } from './store.ts';
import type { ScheduleTables } from './tables.ts';

/** The scheduler's writes. Each is on disk when its promise resolves. */
export interface Claims {
  /**
   * Claims an occurrence: its run is in the queue then, for any host. Returns the run's number, or undefined when it was
   * claimed before, the schedule is no longer active, is paused, or another run of it is in progress.
   */
  claim(schedule: Schedule, occurrence: Occurrence, now: number): Promise<number | undefined>;
  /** Puts runs into the queue that an older version, or one that a backup was made of, has left open. */
  adoptOpenRuns(): Promise<void>;
  /** After the clock was set back: occurrences from `now` on are due again, unless they have run. */
  rewind(schedule: number, now: number): Promise<void>;
  /** Deletes runs that ended long ago, except the last one of each schedule. */
  forgetOld(now: number): Promise<void>;
  /** Records that a host runs the schedules. */
  seen(now: number): Promise<void>;
}

/** The queue of claimed runs. Its jobs have a RunJob. */
export const runQueue: QueueDefinition = {
  name: 'core.schedule-runs',
  order: 'none',
  // A run that cost several hosts is ended in `runs.ts`, which has to tell of it.
  attempts: 100,
  backoff: { first: 5, longest: 300 },
  keptDays: 7,
};

export interface RunJob {
  readonly run: number;
}

/** Milliseconds for which an ended run is kept. */
const retentionMs = 90 * 86_400_000;

export function createClaims(database: ScheduleDatabase, engine: Engine): Claims {
  return {
    // A claim has to survive a power cut, because an occurrence must not run twice.
    claim: async (schedule, occurrence, now) =>
      await durably(await database.open(), (connection) =>
        connection
          .transaction()
          .execute((transaction) => take(transaction, engine, { schedule, occurrence, now })),
      ),
    async adoptOpenRuns() {
      await (await database.open()).transaction().execute(async (transaction) => {
        const open = await transaction
          .selectFrom('scheduler_runs')
          .select('id')
          .where((where) => where.or([where('state', '=', 'running'), where('delivery', '=', 'pending')]))
          .where('job', 'is', null)
          .execute();
        for (const { id } of open) await enqueue(transaction, engine, id);
      });
    },
    async rewind(schedule, now) {
      const open = await database.open();
      await open
        .updateTable('scheduler_schedules')
        .set({ handled_until: toIso(now) })
        .where('id', '=', schedule)
        .where('handled_until', '>', toIso(now))
        .execute();
    },
    async forgetOld(now) {
      const open = await database.open();
      const last = open
        .selectFrom('scheduler_runs')
        .select(({ fn }) => fn.max('id').as('id'))
        .groupBy('schedule_id');
      await open
        .deleteFrom('scheduler_runs')
        .where('ended_at', '<', toIso(now - retentionMs))
        .where('state', '!=', 'running')
        .where('delivery', '!=', 'pending')
        .where('id', 'not in', last)
        .execute();
    },
    async seen(now) {
      const open = await database.open();
      const row = { seen_at: toIso(now) };
      await open
        .insertInto('scheduler_host')
        .values({ id: 1, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    },
  };
}

type Transaction = Kysely<ScheduleTables>;

async function take(
  transaction: Transaction,
  engine: Engine,
  {
    schedule: { id, cron },
    occurrence: { due, runs, missed, isAsked = false },
    now,
  }: { readonly schedule: Schedule; readonly occurrence: Occurrence; readonly now: number },
): Promise<number | undefined> {
  const busy = await transaction
    .selectFrom('scheduler_runs')
    .select('id')
    .where('schedule_id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst();
  const active = await transaction
    .selectFrom('scheduler_schedules')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('paused_at', 'is', null)
    .$if(isAsked, (query) => query.where('asked_at', '=', toIso(due)))
    .executeTakeFirst();
  if (busy || !active) return undefined;
  const run = await transaction
    .insertInto('scheduler_runs')
    .values({
      schedule_id: id,
      due_at: toIso(due),
      state: runs ? 'running' : 'skipped',
      missed,
      started_at: toIso(now),
      ended_at: runs ? null : toIso(now),
      reply: null,
      error: null,
      delivery: 'none',
      delivery_error: null,
      untrusted: null,
    })
    .onConflict((conflict) => conflict.columns(['schedule_id', 'due_at']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (run && runs) await enqueue(transaction, engine, run.id);
  await transaction
    .updateTable('scheduler_schedules')
    .set(
      isAsked
        ? { asked_at: null }
        : { handled_until: toIso(due), ...(cron === null && { state: 'done' as const }) },
    )
    .where('id', '=', id)
    .execute();
  return run?.id;
}

async function enqueue(transaction: Transaction, engine: Engine, run: number): Promise<void> {
  const job = await engine.add(transaction as never, {
    queue: runQueue.name,
    data: { run } satisfies RunJob,
  });
  await transaction.updateTable('scheduler_runs').set({ job }).where('id', '=', run).execute();
}

export const toIso = (moment: number): string => new Date(moment).toISOString();
