import type { Kysely, Selectable } from 'kysely';
import type { Chat } from '../api/channels/channel.ts';
import type { Origin } from '../api/provenance.ts';
import type { ToolResult } from '../api/result.ts';
import { markUntrusted, originsOf } from '../core/foreign/untrusted.ts';
import type { Database } from './database/database.ts';
import { thisProcess } from '../core/processes/owner.ts';
import { findAbandoned } from './database/abandoned.ts';
import type { JobState, Tables } from './database/schema.ts';
import { parseJson, toJson } from '../core/documents/written-numbers.ts';

/** A tool that runs, or ran, in the background. */
export interface StoredJob {
  readonly id: number;
  readonly tool: string;
  readonly args: unknown;
  /** The agent or other caller that owns it. */
  readonly starter: string;
  /** `interrupted`: its process died or was stopped. */
  readonly state: JobState;
  /** Set once the job has ended. */
  readonly result?: ToolResult;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** An ended job that the caller has to announce. No other caller gets it. */
export interface UnannouncedJob extends StoredJob {
  readonly chat: Chat;
  /** Whether a process died while announcing this, so that the message may have arrived. */
  readonly wasSending: boolean;
}

interface NewJob {
  readonly tool: string;
  readonly args: unknown;
  readonly starter: string;
  readonly conversation?: number | undefined;
  /** Where its end is announced. */
  readonly chat?: Chat | undefined;
}

export interface JobStore {
  add(job: NewJob): Promise<StoredJob>;
  end(id: number, state: Exclude<JobState, 'running'>, result?: ToolResult): Promise<void>;
  /** Asks the process that runs it to stop it. */
  askToCancel(id: number): Promise<void>;
  /** Those of these that are to be stopped. */
  cancelAsked(ids: readonly number[]): Promise<readonly number[]>;
  find(id: number): Promise<StoredJob | undefined>;
  /** Newest first, at most 20. Without a starter, those of all starters. */
  list(starter: string | undefined): Promise<readonly StoredJob[]>;
  /** Jobs of a conversation that ended by themselves, in order. Each is returned once. */
  claimUnreported(conversation: number): Promise<readonly StoredJob[]>;
  /** Jobs that ended by themselves and are to be announced, including those that a dead process was announcing. */
  claimUnannounced(): Promise<readonly UnannouncedJob[]>;
  endAnnouncement(id: number, outcome: 'delivered' | 'failed'): Promise<void>;
  /** Leaves the announcement to the next host, which gets it with `wasSending`. */
  releaseAnnouncement(id: number): Promise<void>;
}

/** Ended jobs are deleted after a week. */
const keepMs = 7 * 86_400_000;
const maxListed = 20;
/** The owner name of announcements that are left to the next host. */
const nobody = '';
/** Without `cancelled`: the caller that cancelled a job knows it. */
const endedByThemselves = ['done', 'failed', 'interrupted'] as const satisfies readonly JobState[];

export function createJobStore(database: Database): JobStore {
  return {
    async add({ tool, args, starter, conversation, chat }) {
      const open = await database.open();
      const now = new Date();
      await forgetOldJobs(open, now.getTime());
      const row = await open
        .insertInto('jobs')
        .values({
          tool,
          args: toJson(args) ?? 'null',
          starter,
          conversation_id: conversation ?? null,
          state: 'running',
          result: null,
          owner: thisProcess,
          started_at: now.toISOString(),
          ended_at: null,
          channel: chat?.channel ?? null,
          chat: chat?.chat ?? null,
          announcement: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toJob(row);
    },
    async end(id, state, result) {
      const open = await database.open();
      await open
        .updateTable('jobs')
        .set({
          state,
          result: result === undefined ? null : toJson({ ...result, origins: originsOf(result) }),
          ended_at: new Date().toISOString(),
        })
        .where('id', '=', id)
        // Another host may have taken this one for dead.
        .where('state', '=', 'running')
        .execute();
    },
    async askToCancel(id) {
      const open = await database.open();
      await open.updateTable('jobs').set({ cancel_asked: 1 }).where('id', '=', id).execute();
    },
    async cancelAsked(ids) {
      const open = await database.open();
      const asked = open.selectFrom('jobs').select('id').where('cancel_asked', '=', 1);
      return (await asked.where('id', 'in', ids).execute()).map(({ id }) => id);
    },
    async find(id) {
      const open = await openChecked(database);
      const row = await open?.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toJob(row);
    },
    async list(starter) {
      const open = await openChecked(database);
      const rows = await open
        ?.selectFrom('jobs')
        .selectAll()
        .$if(starter !== undefined, (query) => query.where('starter', '=', starter!))
        .orderBy('id', 'desc')
        .limit(maxListed)
        .execute();
      return (rows ?? []).map(toJob);
    },
    async claimUnreported(conversation) {
      const open = await openChecked(database);
      const rows = await open
        ?.updateTable('jobs')
        .set({ reported: 1 })
        .where('conversation_id', '=', conversation)
        .where('reported', '=', 0)
        .where('state', 'in', endedByThemselves)
        .returningAll()
        .execute();
      return (rows ?? []).toSorted((one, other) => one.id - other.id).map(toJob);
    },
    async claimUnannounced() {
      const open = await openChecked(database);
      return open ? claimUnannounced(open) : [];
    },
    async endAnnouncement(id, outcome) {
      const open = await database.open();
      await open.updateTable('jobs').set({ announcement: outcome }).where('id', '=', id).execute();
    },
    async releaseAnnouncement(id) {
      const open = await database.open();
      await open.updateTable('jobs').set({ owner: nobody }).where('id', '=', id).execute();
    },
  };
}

async function claimUnannounced(database: Kysely<Tables>): Promise<readonly UnannouncedJob[]> {
  const rows = await database
    .selectFrom('jobs')
    .selectAll()
    .where('channel', 'is not', null)
    .where('state', 'in', endedByThemselves)
    .where((where) => where.or([where('announcement', 'is', null), where('announcement', '=', 'sending')]))
    .orderBy('id')
    .execute();
  const claimed: UnannouncedJob[] = [];
  const works = rows.map(({ owner, ended_at }) => ({ owner, since: ended_at! }));
  const isAbandoned = await findAbandoned(database, works);
  for (const row of rows) {
    const { id, owner, announcement, ended_at, channel, chat } = row;
    const isLeft = owner === nobody || isAbandoned({ owner, since: ended_at! });
    if (announcement === 'sending' && !isLeft) continue;
    // Only one of several processes gets it.
    const own = await database
      .updateTable('jobs')
      .set({ announcement: 'sending', owner: thisProcess })
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('announcement', announcement === null ? 'is' : '=', announcement)
      .returning('id')
      .executeTakeFirst();
    if (!own) continue;
    const to: Chat = { channel: channel!, chat: chat! };
    claimed.push({ ...toJob(row), chat: to, wasSending: announcement === 'sending' });
  }
  return claimed;
}

/** `now`: milliseconds since 1970. */
export async function forgetOldJobs(database: Kysely<Tables>, now: number): Promise<void> {
  const oldest = new Date(now - keepMs).toISOString();
  await database.deleteFrom('jobs').where('ended_at', '<', oldest).execute();
}

/** Marks jobs of dead processes as interrupted first. Undefined: there is no database yet. */
async function openChecked(database: Database): Promise<Kysely<Tables> | undefined> {
  const open = await database.existing();
  const running = await open
    ?.selectFrom('jobs')
    .select(['id', 'owner', 'started_at'])
    .where('state', '=', 'running')
    .execute();
  if (!open || !running) return open;
  const works = running.map(({ id, owner, started_at: since }) => ({ id, owner, since }));
  const isAbandoned = await findAbandoned(open, works);
  for (const { id } of works.filter(isAbandoned)) {
    await open
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
    args: parseJson(row.args),
    starter: row.starter,
    state: row.state,
    ...(row.result !== null && { result: readResult(row.result) }),
    startedAt: row.started_at,
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
  };
}

/** The origins of a result are not part of its JSON, and are stored separately. */
function readResult(text: string): ToolResult {
  const { origins = [], ...result } = parseJson(text) as ToolResult & {
    readonly origins?: readonly Origin[];
  };
  return markUntrusted(result, ...origins);
}
