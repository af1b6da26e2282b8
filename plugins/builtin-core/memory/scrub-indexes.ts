import type { Kysely } from 'kysely';
import { fullTextOf } from './full-text/full-text-of.ts';
import { indexMemory, toMemory } from './memories.ts';
import type { MemoryTables } from './tables.ts';
import { reindexTurns } from './recall/turns.ts';

type Db = Kysely<MemoryTables>;

/** Removes a text that became a secret from the full-text indexes, so that it is neither found nor left in their pages. */
export async function scrubIndexes(database: Db, secret: string): Promise<void> {
  // Secrets in a text parameter would be redacted.
  const bytes = Buffer.from(secret);
  await database.transaction().execute(async (transaction) => {
    await reindexTurns(transaction, await fullTextOf(transaction).turnsContaining(transaction, bytes));
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
  await fullTextOf(database).merge(database);
}
