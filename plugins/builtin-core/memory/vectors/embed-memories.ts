import type { PluginContext } from 'pegboard';
import type { Kysely } from 'kysely';
import { selectAlive } from '../memories.ts';
import type { MemoryTables } from '../tables.ts';
import { toBytes, toUnit } from './numbers.ts';
import { storeVector } from './vectors.ts';

type Db = Kysely<MemoryTables>;
type Embed = PluginContext['embed'];

const batchSize = 64;

/** Embeds every memory and graph node that has no vector. Returns at once without embeddings. */
export async function embedMissing(database: Db, embed: Embed): Promise<void> {
  while (await embedMemories(database, embed));
  while (await embedNodes(database, embed));
}

/** False when all have a vector, or embeddings are unavailable. */
async function embedMemories(database: Db, embed: Embed): Promise<boolean> {
  const rows = await selectAlive(database)
    .leftJoin('memory_vectors', 'memory_vectors.memory_id', 'memory_memories.id')
    .select(['memory_memories.id', 'memory_memories.content'])
    .where('memory_vectors.id', 'is', null)
    .orderBy('memory_memories.id')
    .limit(batchSize)
    .execute();
  if (rows.length === 0) return false;
  const vectors = await embed(rows.map(({ content }) => content));
  if (!vectors) return false;
  for (const [at, { id }] of rows.entries()) await storeVector(database, id, vectors[at]!);
  return rows.length === batchSize;
}

async function embedNodes(database: Db, embed: Embed): Promise<boolean> {
  const rows = await database
    .selectFrom('memory_graph_nodes')
    .select(['id', 'name'])
    .where('vector', 'is', null)
    .orderBy('id')
    .limit(batchSize)
    .execute();
  if (rows.length === 0) return false;
  const vectors = await embed(rows.map(({ name }) => name));
  if (!vectors) return false;
  for (const [at, { id }] of rows.entries()) {
    const vector = toBytes(toUnit(vectors[at]!));
    await database.updateTable('memory_graph_nodes').set({ vector }).where('id', '=', id).execute();
  }
  return rows.length === batchSize;
}
