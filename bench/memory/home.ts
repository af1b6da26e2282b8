import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { createDatabase } from '../../host/store/database/database.ts';
import { databaseFileOf } from '../../host/store/database/file.ts';
import { createHistory } from '../../host/store/conversations/history.ts';
import { createPluginTables } from '../../host/store/database/plugin-tables.ts';
import { coreTables } from '../../test/kit/core-tables.ts';
import type { MemoryTables } from '../../plugins/builtin-core/memory/tables.ts';
import { indexConversations } from '../../plugins/builtin-core/memory/recall/turns.ts';
import { migrations } from '../../plugins/builtin-core/migrations.ts';
import type { Conversation, Turn } from './conversations.ts';

/** A home's database with indexed conversations. */
export interface IndexedHome extends AsyncDisposable {
  readonly database: Kysely<MemoryTables>;
  /** The ids of turns in the history. */
  readonly messages: ReadonlyMap<Turn, number>;
}

export async function indexedHome(conversations: readonly Conversation[]): Promise<IndexedHome> {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-memory-'));
  const path = databaseFileOf(folder);
  const database = createDatabase(path);
  await database.open();
  const messages = writeHistory(path, conversations);
  const tables = await createPluginTables<MemoryTables>(database, coreTables, migrations).open();
  await indexConversations(tables, createHistory(database));
  return {
    database: tables,
    messages,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Inserted as rows, because turns of the host would get the current time, and these are years old. */
function writeHistory(path: string, conversations: readonly Conversation[]): ReadonlyMap<Turn, number> {
  using database = new DatabaseSync(path);
  database.exec('begin');
  const begin = database.prepare(
    "insert into conversations (id, source, external_id, started_at) values (?, 'cli', ?, ?)",
  );
  const insert = database.prepare(
    "insert into messages (id, conversation_id, role, text, state, created_at) values (?, ?, ?, ?, 'done', ?)",
  );
  const messages = new Map<Turn, number>();
  conversations.forEach(({ turns }, index) => {
    begin.run(index + 1, `cli/${index + 1}`, turns[0]!.at);
    for (const turn of turns) {
      messages.set(turn, messages.size + 1);
      insert.run(messages.size, index + 1, turn.role, turn.text, turn.at);
    }
  });
  database.exec('commit');
  return messages;
}
