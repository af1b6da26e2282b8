import type { Kysely } from 'kysely';
import { inWords } from '../day.ts';
import { indexMemory, toMemory } from '../memories.ts';
import type { MemoryTables } from '../tables.ts';
import { fullTextOf } from './full-text-of.ts';

type Db = Kysely<MemoryTables>;

/** Rows of one transaction. */
const batchSize = 200;

/** Indexes in `to` what is indexed in `from`: forgotten turns stay forgotten. */
export async function moveIndexes(from: Db, to: Db): Promise<void> {
  await inBatches(
    (after) =>
      from
        .selectFrom('memory_turns_fts')
        .select(['rowid as id', 'text', 'grams'])
        .where('rowid', '>', after)
        .orderBy('rowid')
        .limit(batchSize)
        .execute(),
    async (turns) => {
      await to.transaction().execute(async (transaction) => {
        const fullText = fullTextOf(transaction);
        await fullText.removeTurns(
          transaction,
          turns.map(({ id }) => id),
        );
        for (const { id, text, grams } of turns) await fullText.addTurn(transaction, id, text, grams);
      });
    },
  );
  await inBatches(
    (after) =>
      to
        .selectFrom('memory_sessions')
        .select(['id', 'started_at'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(batchSize)
        .execute(),
    async (sessions) => {
      await to.transaction().execute(async (transaction) => {
        for (const { id, started_at } of sessions)
          await fullTextOf(transaction).setSession(transaction, id, inWords(started_at));
      });
    },
  );
  await inBatches(
    (after) =>
      to
        .selectFrom('memory_memories')
        .selectAll()
        .where('id', '>', after)
        .where('archived_at', 'is', null)
        .where('superseded_by', 'is', null)
        .orderBy('id')
        .limit(batchSize)
        .execute(),
    async (memories) => {
      await to.transaction().execute(async (transaction) => {
        for (const row of memories) await indexMemory(transaction, toMemory(row));
      });
    },
  );
}

async function inBatches<R extends { readonly id: number }>(
  read: (after: number) => Promise<readonly R[]>,
  work: (rows: readonly R[]) => Promise<void>,
): Promise<void> {
  for (let after = 0; ;) {
    const rows = await read(after);
    if (rows.length === 0) return;
    await work(rows);
    after = rows.at(-1)!.id;
  }
}
