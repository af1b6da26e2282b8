import { sql, type Kysely } from 'kysely';
import type { ConversationKey } from '../../api/conversation.ts';
import { PegboardError } from '../../core/errors.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/schema.ts';
import { beginOpen, endOpen, findOpen } from './open-conversation.ts';
import { summaryColumns, type ConversationSummary } from './summary.ts';

/** A conversation as people find it again. */
export interface SessionInfo extends ConversationKey {
  readonly id: number;
  /** What it was named, or the first line of its first message. */
  readonly title: string;
  /** Where it was begun, absolute: a project, or another folder. Absent: not in a terminal. */
  readonly folder?: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** When its last message was stored; without any, as `startedAt`. */
  readonly lastAt: string;
  /** Without those of the conversation that it goes on from. */
  readonly messages: number;
  /** The next message with its key goes on with it. */
  readonly isOpen: boolean;
  /** The conversation that it goes on from. */
  readonly parent?: number;
}

interface SessionFilter {
  readonly source?: string;
  readonly key?: ConversationKey;
  readonly folder?: string;
  /** In the title or in a message, in capitals or not. */
  readonly words?: string;
  /** Default: 50. */
  readonly limit?: number;
}

interface NewBranch {
  /** The conversation that the new one goes on from. */
  readonly parent: number;
  /** The id of the last message that it takes over. */
  readonly until: number;
  readonly title: string;
  /** Where it is begun, if that is known. */
  readonly folder?: string | undefined;
  readonly summary: ConversationSummary;
}

/** Conversations as a whole: found, named, and gone on with. No message is changed or deleted. */
export interface Sessions {
  /** Newest first. Conversations without messages are left out. */
  list(filter?: SessionFilter): Promise<readonly SessionInfo[]>;
  find(id: number): Promise<SessionInfo | undefined>;
  /** The open conversation of this key, which may have no message yet. */
  current(key: ConversationKey): Promise<SessionInfo | undefined>;
  rename(id: number, title: string): Promise<void>;
  /** Makes it the open conversation of its key, instead of the one that is. */
  reopen(id: number): Promise<void>;
  /** Begins a conversation with this key that goes on from another one. Returns its id. */
  branch(key: ConversationKey, branch: NewBranch): Promise<number>;
}

const defaultLimit = 50;
/** Characters of a first message that its title may come from. */
const maxTitleLength = 80;

/**
 * The first line, cut where it is long. A title is shown in every chat, in lists and exports: what is invisible or steers
 * a terminal or the direction of text is dropped.
 */
export function titleFrom(text: string): string {
  const line = visibleText(text).trim().split('\n', 1)[0]!.trim().replaceAll(/\s+/g, ' ');
  return line.length <= maxTitleLength ? line : `${line.slice(0, maxTitleLength - 1).toWellFormed()}…`;
}

export function createSessions(database: Pick<Database, 'existing' | 'open'>): Sessions {
  return {
    async list(filter = {}) {
      const open = await database.existing();
      return open ? await readSessions(open, filter) : [];
    },
    async find(id) {
      const open = await database.existing();
      return open && (await findSession(open, id));
    },
    async current(key) {
      const open = await database.existing();
      const id = open && (await findOpen(open, key));
      return id === undefined ? undefined : await findSession(open!, id);
    },
    async rename(id, title) {
      const open = await database.open();
      await open
        .updateTable('conversations')
        .set({ title: titleFrom(title) })
        .where('id', '=', id)
        .execute();
    },
    async reopen(id) {
      const open = await database.open();
      await open.transaction().execute(async (transaction) => {
        const { source, external_id: externalId } = await transaction
          .selectFrom('conversations')
          .select(['source', 'external_id'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const key = { source, externalId };
        await endOpen(transaction, key);
        if ((await findOpen(transaction, key)) !== undefined) throw begunMeanwhile();
        await transaction.updateTable('conversations').set({ ended_at: null }).where('id', '=', id).execute();
      });
    },
    async branch(key, { parent, until, title, folder = null, summary }) {
      const open = await database.open();
      return await open.transaction().execute(async (transaction) => {
        await endOpen(transaction, key);
        const own = { parent_id: parent, parent_until: until, title, folder, ...summaryColumns(summary) };
        const id = await beginOpen(transaction, key, own);
        if (id === undefined) throw begunMeanwhile();
        return id;
      });
    },
  };
}

const begunMeanwhile = (): PegboardError =>
  new PegboardError('PEG_BUSY', 'A message began another conversation here at the same moment: try again.');

async function findSession(database: Kysely<Tables>, id: number): Promise<SessionInfo | undefined> {
  const [found] = await readSessions(database, { id });
  return found;
}

async function readSessions(
  database: Kysely<Tables>,
  { id, source, key, folder, words, limit = defaultLimit }: SessionFilter & { readonly id?: number },
): Promise<readonly SessionInfo[]> {
  const rows = await database
    .selectFrom('conversations')
    .leftJoin('messages', 'messages.conversation_id', 'conversations.id')
    .select((eb) => [
      'conversations.id',
      'conversations.source',
      'conversations.external_id as externalId',
      'conversations.started_at as startedAt',
      'conversations.ended_at as endedAt',
      'conversations.title',
      'conversations.folder',
      'conversations.parent_id as parent',
      eb.fn.max('messages.created_at').as('lastAt'),
      eb.fn.count<number>('messages.id').as('messages'),
      eb.fn.min('messages.id').as('first'),
    ])
    .$if(id !== undefined, (query) => query.where('conversations.id', '=', id!))
    .$if(id === undefined, (query) => query.having((eb) => eb(eb.fn.count('messages.id'), '>', 0)))
    .$if(source !== undefined, (query) => query.where('conversations.source', '=', source!))
    .$if(key !== undefined, (query) =>
      query
        .where('conversations.source', '=', key!.source)
        .where('conversations.external_id', '=', key!.externalId),
    )
    .$if(folder !== undefined, (query) => query.where('conversations.folder', '=', folder!))
    .$if(words !== undefined, (query) => query.where(saying(words!)))
    .groupBy('conversations.id')
    .orderBy('lastAt', 'desc')
    .orderBy('conversations.id', 'desc')
    .limit(limit)
    .execute();
  const openings = await readTexts(
    database,
    rows.flatMap(({ first }) => first ?? []),
  );
  return rows.map(({ endedAt, first, title, folder: begunIn, parent, lastAt, ...row }) => ({
    ...row,
    title: titleFrom(title ?? openings.get(first ?? 0) ?? '') || 'No messages yet',
    lastAt: lastAt ?? row.startedAt,
    isOpen: endedAt === null,
    ...(begunIn !== null && { folder: begunIn }),
    ...(parent !== null && { parent }),
  }));
}

/** Both kinds of databases compare small letters alike. */
function saying(words: string) {
  const pattern = `%${words.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<boolean>`(lower(coalesce(conversations.title, '')) like ${pattern} escape '\\' or exists (
    select 1 from messages said where said.conversation_id = conversations.id
    and lower(said.text) like ${pattern} escape '\\'))`;
}

async function readTexts(
  database: Kysely<Tables>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.selectFrom('messages').select(['id', 'text']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, text }) => [id, text]));
}
