import { durably, type Origin } from 'pegboard';
import { isAbandoned, thisProcess } from 'pegboard/processes';
import type { Kysely } from 'kysely';
import { storedOrigins } from '../background/origin.ts';
import type { Occurrence } from './plan.ts';
import type { ScheduleRun, Schedule, ScheduleDatabase } from './store.ts';
import type { DeliveryState, RunState, ScheduleTables } from './tables.ts';

/** The result of a run. */
export interface Ending {
  readonly state: Extract<RunState, 'done' | 'failed' | 'uncertain'>;
  readonly reply: string | undefined;
  readonly error: string | undefined;
  readonly delivery: Extract<DeliveryState, 'none' | 'pending'>;
  /** The origins of untrusted content in the reply. */
  readonly untrusted: readonly Origin[];
}

/** The scheduler's writes. Each is on disk when its promise resolves. */
export interface Claims {
  /**
   * Claims an occurrence for this process. Returns the run's number, or undefined when it was claimed before, the
   * schedule is no longer active, is paused, or another run of it is in progress.
   */
  claim(schedule: Schedule, occurrence: Occurrence, now: number): Promise<number | undefined>;
  /** `released`: another host sends the reply. */
  end(run: number, ending: Ending, now: number, how?: { readonly released: boolean }): Promise<void>;
  /** Releases a run that has not ended, so that another host resumes it. */
  release(run: number): Promise<void>;
  endDelivery(run: number, error: string | undefined): Promise<void>;
  /** After the clock was set back: occurrences from `now` on are due again, unless they have run. */
  rewind(schedule: number, now: number): Promise<void>;
  /** Takes over runs and unsent replies of processes that died. */
  takeAbandoned(): Promise<readonly ScheduleRun[]>;
  /** Deletes runs that ended long ago, except the last one of each schedule. */
  forgetOld(now: number): Promise<void>;
  /** Records that a host runs the schedules. */
  seen(now: number): Promise<void>;
}

/** Milliseconds for which an ended run is kept. */
const retentionMs = 90 * 86_400_000;

export function createClaims(database: ScheduleDatabase): Claims {
  return {
    claim: (schedule, occurrence, now) => claim(database, schedule, occurrence, now),
    async end(run, ending, now, { released } = { released: false }) {
      const { state, reply = null, error = null, delivery, untrusted } = ending;
      const open = await database.open();
      await open
        .updateTable('scheduler_runs')
        .set({
          state,
          reply,
          error,
          delivery,
          untrusted: storedOrigins(untrusted),
          ended_at: toIso(now),
          ...(released && { owner: none }),
        })
        .where('id', '=', run)
        .where('state', '=', 'running')
        .execute();
    },
    async release(run) {
      const open = await database.open();
      await open
        .updateTable('scheduler_runs')
        .set({ owner: none })
        .where('id', '=', run)
        .where('state', '=', 'running')
        .execute();
    },
    async endDelivery(run, error) {
      const open = await database.open();
      await open
        .updateTable('scheduler_runs')
        .set({
          delivery: error === undefined ? 'delivered' : 'failed',
          delivery_error: error ?? null,
        })
        .where('id', '=', run)
        .execute();
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
    async takeAbandoned() {
      const open = await database.open();
      const runs = await open
        .selectFrom('scheduler_runs')
        .selectAll()
        .where((where) => where.or([where('state', '=', 'running'), where('delivery', '=', 'pending')]))
        .orderBy('id')
        .execute();
      const left = runs.filter(({ owner, started_at }) => owner === none || isAbandoned(owner, started_at));
      const own: ScheduleRun[] = [];
      for (const run of left) {
        // Only one of several hosts takes over a run.
        const taken = await open
          .updateTable('scheduler_runs')
          .set({ owner: thisProcess })
          .where('id', '=', run.id)
          .where('owner', '=', run.owner)
          .returning('id')
          .executeTakeFirst();
        if (taken) own.push(run);
      }
      return own;
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
      const row = { owner: thisProcess, seen_at: toIso(now) };
      await open
        .insertInto('scheduler_host')
        .values({ id: 1, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    },
  };
}

/** The owner of released runs. */
const none = '';

type Transaction = Kysely<ScheduleTables>;

/** It has to survive a power cut, because an occurrence must not run twice. */
const claim = async (
  database: ScheduleDatabase,
  schedule: Schedule,
  occurrence: Occurrence,
  now: number,
): Promise<number | undefined> =>
  await durably(await database.open(), (connection) =>
    connection.transaction().execute((transaction) => take(transaction, schedule, occurrence, now)),
  );

async function take(
  transaction: Transaction,
  { id, cron }: Schedule,
  { due, runs, missed, isAsked = false }: Occurrence,
  now: number,
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
      owner: thisProcess,
      reply: null,
      error: null,
      delivery: 'none',
      delivery_error: null,
      untrusted: null,
    })
    .onConflict((conflict) => conflict.columns(['schedule_id', 'due_at']).doNothing())
    .returning('id')
    .executeTakeFirst();
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

export const toIso = (moment: number): string => new Date(moment).toISOString();
