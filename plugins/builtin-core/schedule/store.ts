import type { PluginDatabase } from 'pegboard';
import type { Selectable, Updateable } from 'kysely';
import type { RunsTable, ScheduleTables, SchedulesTable } from './tables.ts';

export type Schedule = Selectable<SchedulesTable>;
export type ScheduleRun = Selectable<RunsTable>;
export type ScheduleDatabase = PluginDatabase<ScheduleTables>;

/** Schedules and their runs, for creating, listing and cancelling. */
export interface ScheduleStore {
  add(schedule: Omit<Schedule, 'id' | 'state'>): Promise<number>;
  find(id: number): Promise<Schedule | undefined>;
  /** In order of creation. */
  list(which: 'active' | 'all'): Promise<readonly Schedule[]>;
  /** False: it was not active. A run in progress continues to its end. */
  cancel(id: number): Promise<boolean>;
  /** False: it was not active, or paused already. A run in progress continues to its end. */
  pause(id: number, now: string): Promise<boolean>;
  /** What was due while it was paused doesn't run any more. False: it was not paused. */
  resume(id: number, now: string): Promise<boolean>;
  /** Runs once more as soon as a host can; its plan stays. False: it was not active, or paused. */
  askToRun(id: number, now: string): Promise<boolean>;
  /** The last run of each schedule that has one. */
  lastRuns(): Promise<readonly ScheduleRun[]>;
  findRun(id: number): Promise<ScheduleRun | undefined>;
  /** Newest first. */
  runs(schedule: number | undefined, limit: number): Promise<readonly ScheduleRun[]>;
  /** When a host last checked the schedules, in milliseconds since 1970. Undefined if none has. */
  lastSeen(): Promise<number | undefined>;
}

export function createScheduleStore(database: ScheduleDatabase): ScheduleStore {
  return {
    async add(schedule) {
      const open = await database.open();
      const { id } = await open
        .insertInto('scheduler_schedules')
        .values({ ...schedule, state: 'active' })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    async find(id) {
      const open = await database.open();
      return await open.selectFrom('scheduler_schedules').selectAll().where('id', '=', id).executeTakeFirst();
    },
    async list(which) {
      const open = await database.open();
      return await open
        .selectFrom('scheduler_schedules')
        .selectAll()
        .$if(which === 'active', (query) => query.where('state', '=', 'active'))
        .orderBy('id')
        .execute();
    },
    cancel: (id) => changeActive(database, id, { state: 'cancelled' }),
    pause: (id, now) => changeActive(database, id, { paused_at: now, asked_at: null }, { isPaused: false }),
    resume: (id, now) =>
      changeActive(database, id, { paused_at: null, handled_until: now }, { isPaused: true }),
    askToRun: (id, now) => changeActive(database, id, { asked_at: now }, { isPaused: false }),
    async lastRuns() {
      const open = await database.open();
      return await open
        .selectFrom('scheduler_runs')
        .selectAll()
        .where('id', 'in', (query) =>
          query
            .selectFrom('scheduler_runs as each')
            .select((eb) => eb.fn.max('each.id').as('id'))
            .groupBy('each.schedule_id'),
        )
        .execute();
    },
    async findRun(id) {
      const open = await database.open();
      return await open.selectFrom('scheduler_runs').selectAll().where('id', '=', id).executeTakeFirst();
    },
    async runs(schedule, limit) {
      const open = await database.open();
      return await open
        .selectFrom('scheduler_runs')
        .selectAll()
        .$if(schedule !== undefined, (query) => query.where('schedule_id', '=', schedule!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },
    async lastSeen() {
      const open = await database.open();
      const row = await open.selectFrom('scheduler_host').select('seen_at').executeTakeFirst();
      return row && Date.parse(row.seen_at);
    },
  };
}

/** False: it was not active, or not as it had to be. */
async function changeActive(
  database: ScheduleDatabase,
  id: number,
  changes: Updateable<SchedulesTable>,
  only: { readonly isPaused?: boolean } = {},
): Promise<boolean> {
  const open = await database.open();
  const changed = await open
    .updateTable('scheduler_schedules')
    .set(changes)
    .where('id', '=', id)
    .where('state', '=', 'active')
    .$if(only.isPaused === true, (query) => query.where('paused_at', 'is not', null))
    .$if(only.isPaused === false, (query) => query.where('paused_at', 'is', null))
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
