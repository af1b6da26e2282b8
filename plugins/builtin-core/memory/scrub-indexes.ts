import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { indexMemory, toMemory } from './memories.ts';
import type { MemoryTables } from './tables.ts';
import { reindexTurns } from './recall/turns.ts';

type Db = Kysely<MemoryTables>;

/** Index pages that are merged at once: takes a few milliseconds. */
const mergedPages = 200;

/** Removes a text that became a secret from the full-text indexes, so that it is neither found nor left in their pages. */
export async function scrubIndexes(database: Db, secret: string): Promise<void> {
  // Secrets in a text parameter would be redacted.
  const bytes = Buffer.from(secret);
  await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ message: number; text: string }>`
      select rowid as message, text from memory_turns_fts where instr(text, ${bytes}) > 0`.execute(
      transaction,
    );
    await reindexTurns(transaction, rows);
    // Their contents have been redacted by now.
    const memories = await transaction
      .selectFrom('memory_memories')
      .selectAll()
      .where('content', 'like', '%[secret %')
      .where('archived_at', 'is', null)
      .where('superseded_by', 'is', null)
      .execute();
    for (const row of memories) await indexMemory(transaction, toMemory(row));
  });
  for (const index of ['memory_turns_fts', 'memory_sessions_fts', 'memory_memories_fts'])
    await merge(database, index);
}

/** Deleted text stays in the pages of an index until they are merged. */
async function merge(database: Db, index: string): Promise<void> {
  const table = sql.table(index);
  const changes = async (): Promise<number> =>
    (await sql<{ count: number }>`select total_changes() as count`.execute(database)).rows[0]!.count;
  for (let amount = -mergedPages; ; amount = mergedPages) {
    const before = await changes();
    await sql`insert into ${table} (${sql.ref(index)}, rank) values ('merge', ${amount})`.execute(database);
    // Fewer than two changes: nothing was left to merge.
    if ((await changes()) - before < 2) return;
    await turnOfLoop();
  }
}
