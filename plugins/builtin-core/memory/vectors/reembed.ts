import { PegboardError, type PluginContext } from 'pegboard';
import type { Kysely } from 'kysely';
import { embedMissing } from './embed-memories.ts';
import { selectAlive } from '../memories.ts';
import type { MemoryTables } from '../tables.ts';
import { storeVector } from './vectors.ts';

type Db = Kysely<MemoryTables>;

const batchSize = 32;

export interface Reembedding {
  /** Starts over, even if an earlier run was interrupted. */
  readonly restart: boolean;
  readonly signal: AbortSignal;
  readonly onDone: (done: number, total: number) => void;
}

/**
 * Embeds everything again after the model was changed. Returns the number of vectors. Progress is stored, so the next
 * run continues an interrupted one. Throws PEG_NO_MODEL without embeddings.
 */
export async function reembed(
  { database, embed }: { database: Db; embed: PluginContext['embed'] },
  { restart, signal, onDone }: Reembedding,
): Promise<number> {
  let position = restart ? 0 : await positionOf(database);
  if (position === 0) await database.updateTable('memory_graph_nodes').set({ vector: null }).execute();
  const total = await countAfter(database, position);
  let done = 0;
  for (;;) {
    signal.throwIfAborted();
    const some = await selectAlive(database)
      .select(['id', 'content'])
      .where('id', '>', position)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    if (some.length === 0) break;
    const vectors = await embed(
      some.map(({ content }) => content),
      signal,
    );
    if (!vectors) throw noEmbeddings(done, total);
    for (const [at, { id }] of some.entries()) await storeVector(database, id, vectors[at]!);
    position = some.at(-1)!.id;
    await setPosition(database, position);
    onDone((done += some.length), total);
  }
  await embedMissing(database, (texts) => embed(texts, signal));
  if (await hasNodesWithout(database)) throw noEmbeddings(done, total);
  await database.deleteFrom('memory_reembedding').execute();
  return done;
}

/** The last memory that an interrupted run processed; 0 if there was none. */
async function positionOf(database: Db): Promise<number> {
  const row = await database.selectFrom('memory_reembedding').select('done_until').executeTakeFirst();
  return row?.done_until ?? 0;
}

async function setPosition(database: Db, memory: number): Promise<void> {
  await database
    .insertInto('memory_reembedding')
    .values({ id: 1, done_until: memory })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ done_until: memory }))
    .execute();
}

async function countAfter(database: Db, memory: number): Promise<number> {
  const { count } = await selectAlive(database)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('id', '>', memory)
    .executeTakeFirstOrThrow();
  return count;
}

async function hasNodesWithout(database: Db): Promise<boolean> {
  const row = await database
    .selectFrom('memory_graph_nodes')
    .select('id')
    .where('vector', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

function noEmbeddings(done: number, total: number): PegboardError {
  const state = done > 0 ? ` ${done} of ${total} are done; the next run goes on from there.` : '';
  return new PegboardError(
    'PEG_NO_MODEL',
    `Embeddings are not available: set EMBEDDING_MODEL, and check that its provider answers.${state}`,
  );
}
