import type { Kysely } from 'kysely';
import type { ConversationKey } from '../../api/conversation.ts';
import type { Origin } from '../../api/provenance.ts';
import type { Database } from '../database/database.ts';
import type { MessageState, Tables } from '../database/schema.ts';
import { readOrigins } from './messages.ts';

/** A message of a transcript, with the beginnings of what may be long. */
export interface TranscriptMessage {
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Images that came along. */
  readonly attachments: number;
  /** Absent for what was sent outside a turn. */
  readonly agent?: string;
  readonly state: MessageState;
  readonly stopped?: string;
  readonly untrusted: readonly Origin[];
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly calls: readonly TranscriptCall[];
}

export interface TranscriptCall {
  readonly id: number;
  readonly tool: string;
  /** JSON. */
  readonly args: string;
  readonly result: string;
  /** Bytes of the whole result. */
  readonly length: number;
  readonly ok: boolean;
  /** False: it was interrupted. */
  readonly ended: boolean;
  readonly ms: number;
}

/** Conversations for somebody who looks at them: long results are cut, so that thousands of megabytes can be paged. */
export interface Transcripts {
  /**
   * The last `limit` messages before an id, oldest first. By number: of one conversation. By key: the agents' answers in
   * all conversations with this key. Running answers are left out.
   */
  read(
    of: number | ConversationKey,
    range: { readonly before: number; readonly limit: number },
  ): Promise<TranscriptMessage[]>;
  keyOf(conversation: number): Promise<ConversationKey | undefined>;
  /** The whole result of a call. */
  result(call: number): Promise<string | undefined>;
}

/** Characters of a result and of arguments that are read. */
const maxLength = 2_000;

export function createTranscripts(database: Pick<Database, 'existing'>): Transcripts {
  return {
    async read(of, { before, limit }) {
      const db = await database.existing();
      if (!db) return [];
      const rows = await db
        .selectFrom('messages')
        .select(['id', 'role', 'text', 'agent', 'state', 'stopped', 'untrusted', 'created_at as at'])
        .select((eb) =>
          eb.fn.coalesce(eb.fn<number>('json_array_length', ['attachments']), eb.lit(0)).as('attachments'),
        )
        .where('id', '<', before)
        .where('state', '!=', 'running')
        .$if(typeof of === 'number', (query) => query.where('conversation_id', '=', of as number))
        .$if(typeof of !== 'number', (query) =>
          query
            .where('conversation_id', 'in', conversationsOf(db, of as ConversationKey))
            .where('role', '=', 'assistant')
            .where('agent', 'is not', null),
        )
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      rows.reverse();
      const calls = await readCalls(
        db,
        rows.filter(({ role }) => role === 'assistant').map(({ id }) => id),
      );
      return rows.map(({ agent, stopped, untrusted, ...row }) => ({
        ...row,
        ...(agent !== null && { agent }),
        ...(stopped !== null && { stopped }),
        untrusted: readOrigins(untrusted),
        calls: calls.get(row.id) ?? [],
      }));
    },
    async keyOf(conversation) {
      const db = await database.existing();
      return await db
        ?.selectFrom('conversations')
        .select(['source', 'external_id as externalId'])
        .where('id', '=', conversation)
        .executeTakeFirst();
    },
    async result(call) {
      const db = await database.existing();
      const row = await db
        ?.selectFrom('tool_calls')
        .select('result')
        .where('id', '=', call)
        .executeTakeFirst();
      return row?.result;
    },
  };
}

const conversationsOf = (db: Kysely<Tables>, { source, externalId }: ConversationKey) =>
  db
    .selectFrom('conversations')
    .select('id')
    .where('source', '=', source)
    .where('external_id', '=', externalId);

async function readCalls(
  db: Kysely<Tables>,
  messages: readonly number[],
): Promise<ReadonlyMap<number, TranscriptCall[]>> {
  if (messages.length === 0) return new Map();
  const rows = await db
    .selectFrom('tool_calls')
    .select(['id', 'message_id as message', 'tool', 'ok', 'ms', 'ended', 'uncertain'])
    .select((eb) => [
      eb.fn<string>('substr', ['args', eb.val(1), eb.val(maxLength)]).as('args'),
      eb.fn<string>('substr', ['result', eb.val(1), eb.val(maxLength)]).as('result'),
      eb.fn<number>('octet_length', ['result']).as('length'),
    ])
    .where('message_id', 'in', messages)
    .orderBy('id')
    .execute();
  const byMessage = Map.groupBy(rows, ({ message }) => message);
  return new Map(
    [...byMessage].map(([message, own]) => [
      message,
      own.map(({ message: _message, ok, ended, uncertain, ...row }) => ({
        ...row,
        ok: ok === 1,
        ended: ended === 1 && uncertain === 0,
      })),
    ]),
  );
}
