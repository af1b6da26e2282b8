import type { Kysely, Selectable } from 'kysely';
import type { ToolResult } from '../api/result.ts';
import type { Database } from './database.ts';
import { isAbandoned, thisProcess } from './owner.ts';
import type { JobState, Tables } from './schema.ts';

/** A tool that runs, or ran, in the background. */
export interface StoredJob {
  readonly id: number;
  readonly tool: string;
  readonly args: unknown;
  /** Whose it is: an agent, or whoever called. */
  readonly starter: string;
  /** `interrupted`: its process died. */
  readonly state: JobState;
  /** Once it ended. */
  readonly result?: ToolResult;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt?: string;
}

export interface NewJob {
  readonly tool: string;
  readonly args: unknown;
  readonly starter: string;
  readonly conversation?: number | undefined;
}

export interface JobStore {
  add(job: NewJob): Promise<StoredJob>;
  end(id: number, state: 'done' | 'failed' | 'cancelled', result: ToolResult): Promise<void>;
  find(id: number): Promise<StoredJob | undefined>;
  /** The newest, newest first; without a starter everybody's. */
  list(starter: string | undefined): Promise<readonly StoredJob[]>;
}

/** Ended jobs are forgotten after a week. */
const keepMs = 7 * 86_400_000;
const longestList = 20;

export function createJobStore(database: Database): JobStore {
  return {
    async add({ tool, args, starter, conversation }) {
      const open = await database.open();
      const now = new Date();
      const oldest = new Date(now.getTime() - keepMs).toISOString();
      await open.deleteFrom('jobs').where('ended_at', '<', oldest).execute();
      const row = await open
        .insertInto('jobs')
        .values({
          tool,
          args: JSON.stringify(args) ?? 'null',
          starter,
          conversation_id: conversation ?? null,
          state: 'running',
          result: null,
          owner: thisProcess,
          started_at: now.toISOString(),
          ended_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toJob(row);
    },
    async end(id, state, result) {
      const open = await database.open();
      await open
        .updateTable('jobs')
        .set({ state, result: JSON.stringify(result), ended_at: new Date().toISOString() })
        .where('id', '=', id)
        .execute();
    },
    async find(id) {
      const open = await openForLook(database);
      const row = await open?.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toJob(row);
    },
    async list(starter) {
      const open = await openForLook(database);
      const rows = await open
        ?.selectFrom('jobs')
        .selectAll()
        .$if(starter !== undefined, (query) => query.where('starter', '=', starter!))
        .orderBy('id', 'desc')
        .limit(longestList)
        .execute();
      return (rows ?? []).map(toJob);
    },
  };
}

/** What dead processes left behind is marked before anybody looks. */
async function openForLook(database: Database): Promise<Kysely<Tables> | undefined> {
  const open = await database.existing();
  const running = await open
    ?.selectFrom('jobs')
    .select(['id', 'owner', 'started_at'])
    .where('state', '=', 'running')
    .execute();
  for (const { id, owner, started_at } of running ?? []) {
    if (!isAbandoned(owner, started_at)) continue;
    await open!
      .updateTable('jobs')
      .set({ state: 'interrupted', ended_at: new Date().toISOString() })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .execute();
  }
  return open;
}

function toJob(row: Selectable<Tables['jobs']>): StoredJob {
  return {
    id: row.id,
    tool: row.tool,
    args: JSON.parse(row.args) as unknown,
    starter: row.starter,
    state: row.state,
    ...(row.result !== null && { result: JSON.parse(row.result) as ToolResult }),
    startedAt: row.started_at,
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
  };
}
