import type { History, StoredMessage } from '../api/history.ts';
import type { Database } from './database.ts';

/** At most so many messages at once. */
const mostMessages = 1_000;

/** Reads conversations; nothing is made where there are none. */
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
    async messages(conversation, { after = 0, limit = mostMessages } = {}) {
      const open = await database.existing();
      const rows = await open
        ?.selectFrom('messages')
        .select(['id', 'role', 'text', 'created_at'])
        .where('conversation_id', '=', conversation)
        .where('id', '>', after)
        .where('state', '=', 'done')
        .orderBy('id')
        .limit(Math.min(limit, mostMessages))
        .execute();
      return (rows ?? []).map(toMessage);
    },
    async message(id) {
      const open = await database.existing();
      const row = await open
        ?.selectFrom('messages')
        .select(['id', 'role', 'text', 'created_at', 'conversation_id'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row && { ...toMessage(row), conversation: row.conversation_id };
    },
  };
}

const toMessage = (row: {
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly created_at: string;
}): StoredMessage => ({ id: row.id, role: row.role, text: row.text, at: row.created_at });
