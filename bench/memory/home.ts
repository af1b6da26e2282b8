import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { createDatabase, type Database } from '../../host/store/database/database.ts';
import { databaseFileOf } from '../../host/store/database/file.ts';
import type { Tables } from '../../host/store/database/schema.ts';
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

/** Opens the database of a home, by its folder. */
export type OpenDatabase = (folder: string) => Database | Promise<Database>;

const openFile: OpenDatabase = (folder) => createDatabase(databaseFileOf(folder));

export async function indexedHome(
  conversations: readonly Conversation[],
  open: OpenDatabase = openFile,
): Promise<IndexedHome> {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-memory-'));
  const database = await open(folder);
  const messages = await writeHistory(await database.open(), conversations);
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

/** Rows of one statement. */
const chunk = 500;

/** Inserted as rows, because turns of the host would get the current time, and these are years old. */
async function writeHistory(
  database: Kysely<Tables>,
  conversations: readonly Conversation[],
): Promise<ReadonlyMap<Turn, number>> {
  const messages = new Map<Turn, number>();
  await database.transaction().execute(async (transaction) => {
    for (const [index, { turns }] of conversations.entries()) {
      const id = index + 1;
      await transaction
        .insertInto('conversations')
        .values({ id, source: 'cli', external_id: `cli/${id}`, started_at: turns[0]!.at, ended_at: null })
        .execute();
      const rows = turns.map((turn) => {
        messages.set(turn, messages.size + 1);
        const { role, text, at } = turn;
        return { ...empty, id: messages.size, conversation_id: id, role, text, created_at: at };
      });
      for (let from = 0; from < rows.length; from += chunk)
        await transaction
          .insertInto('messages')
          .values(rows.slice(from, from + chunk))
          .execute();
    }
  });
  return messages;
}

const empty = {
  attachments: null,
  external_id: null,
  agent: null,
  state: 'done',
  stopped: null,
  untrusted: null,
  owner: null,
  turn_key: null,
} as const;
