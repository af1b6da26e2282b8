import type { History, StoredMessage } from '../../api/store/history.ts';
import type { Origin } from '../../api/provenance.ts';
import { createConversations } from './conversations.ts';
import type { Database } from '../database/database.ts';
import { readOrigins } from './messages.ts';

/** Maximum messages in one read. */
const maxMessages = 1_000;
const columns = ['id', 'role', 'text', 'untrusted', 'created_at', 'external_id'] as const;

/** An answer that was sent without a turn. */
const ofNoTurn = {
  role: 'assistant',
  attachments: null,
  external_id: null,
  agent: null,
  state: 'done',
  stopped: null,
  owner: null,
  turn_key: null,
} as const;

/** Reads conversations, without creating a database. */
export function createHistory(database: Database): History {
  return {
    async conversations() {
      const open = await database.existing();
      const rows = await open
        ?.selectFrom('conversations')
        .select(['id', 'source', 'external_id'])
        .orderBy('id')
        .execute();
      return (rows ?? []).map(({ id, source, external_id }) => ({ id, source, externalId: external_id }));
    },
    async messages(conversation, { after = 0, limit = maxMessages } = {}) {
      const open = await database.existing();
      const rows = await open
        ?.selectFrom('messages')
        .select(columns)
        .where('conversation_id', '=', conversation)
        .where('id', '>', after)
        .where('state', '=', 'done')
        .orderBy('id')
        .limit(Math.min(limit, maxMessages))
        .execute();
      return (rows ?? []).map(toMessage);
    },
    async originsOf(ids) {
      const open = await database.existing();
      if (!open) return [];
      const found: Origin[] = [];
      for (let from = 0; from < ids.length; from += maxMessages) {
        const rows = await open
          .selectFrom('messages')
          .select('untrusted')
          .where('id', 'in', ids.slice(from, from + maxMessages))
          .where('untrusted', 'is not', null)
          .execute();
        found.push(...rows.flatMap(({ untrusted }) => readOrigins(untrusted)));
      }
      return found;
    },
    async message(id) {
      const open = await database.existing();
      const row = await open
        ?.selectFrom('messages')
        .select([...columns, 'conversation_id'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row && { ...toMessage(row), conversation: row.conversation_id };
    },
    async ofTurn(key) {
      const open = await database.existing();
      const row = await open
        ?.selectFrom('messages')
        .select(columns)
        .where((where) => where.and({ turn_key: key, role: 'user' }))
        .executeTakeFirst();
      return row && toMessage(row);
    },
    async find({ source, externalId }, externalMessageId) {
      const open = await database.existing();
      const row = await open
        ?.selectFrom('messages')
        .select(columns)
        .where('external_id', '=', externalMessageId)
        .where('conversation_id', 'in', (query) =>
          query
            .selectFrom('conversations')
            .select('id')
            .where('source', '=', source)
            .where('external_id', '=', externalId),
        )
        .orderBy('id', 'desc')
        .executeTakeFirst();
      return row && toMessage(row);
    },
    async note(key, { text, untrusted }) {
      const { id } = await createConversations(database).getOrCreate(key);
      const open = await database.open();
      await open
        .insertInto('messages')
        .values({
          ...ofNoTurn,
          conversation_id: id,
          text,
          untrusted: untrusted.length === 0 ? null : JSON.stringify(untrusted),
          created_at: new Date().toISOString(),
        })
        .execute();
    },
    async keepExternalId(id, externalMessageId) {
      const open = await database.open();
      await open
        .updateTable('messages')
        .set({ external_id: externalMessageId })
        .where('id', '=', id)
        .execute();
    },
  };
}

const toMessage = (row: {
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly untrusted: string | null;
  readonly created_at: string;
  readonly external_id: string | null;
}): StoredMessage => ({
  id: row.id,
  role: row.role,
  text: row.text,
  untrusted: readOrigins(row.untrusted),
  at: row.created_at,
  ...(row.external_id !== null && { externalMessageId: row.external_id }),
});
