import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { createDatabase } from '../../host/store/database.ts';
import { databaseFileOf } from '../../host/store/database-file.ts';
import { createHistory } from '../../host/store/history.ts';
import { createPluginTables } from '../../host/store/plugin-tables.ts';
import type { MemoryTables } from '../../plugins/builtin-core/memory/tables.ts';
import { indexConversations } from '../../plugins/builtin-core/memory/turns.ts';
import { migrations } from '../../plugins/builtin-core/migrations.ts';
import type { Turn } from './conversations.ts';

/** A home's database in which one conversation was had and indexed. */
export interface IndexedHome extends AsyncDisposable {
  readonly database: Kysely<MemoryTables>;
  /** Ids in the history, by those of the conversation. */
  readonly messages: ReadonlyMap<string, number>;
}

export async function indexedHome(turns: readonly Turn[]): Promise<IndexedHome> {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-memory-'));
  const path = databaseFileOf(folder);
  const database = createDatabase(path);
  await database.open();
  const messages = writeHistory(path, turns);
  const tables = await createPluginTables<MemoryTables>(database, 'builtin-core', migrations).open();
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

/** Turns of the host have the time at which they happen, these one of years ago: so they are written as rows. */
function writeHistory(path: string, turns: readonly Turn[]): ReadonlyMap<string, number> {
  using database = new DatabaseSync(path);
  database.exec('begin');
  database
    .prepare("insert into conversations (id, source, external_id, started_at) values (1, 'cli', 'cli', ?)")
    .run(turns[0]!.at);
  const insert = database.prepare(
    "insert into messages (id, conversation_id, role, text, state, created_at) values (?, 1, ?, ?, 'done', ?)",
  );
  turns.forEach(({ role, text, at }, index) => void insert.run(index + 1, role, text, at));
  database.exec('commit');
  return new Map(turns.map(({ id }, index) => [id, index + 1]));
}
