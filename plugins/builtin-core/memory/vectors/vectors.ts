import { dialectOf } from 'pegboard';
import { sql, type Kysely } from 'kysely';
import type { MemoryTables } from '../tables.ts';
import { dot, toBytes, toUnit, toVector } from './numbers.ts';

type Db = Kysely<MemoryTables>;

/** Cosine similarity by memory id. */
export type Similarities = ReadonlyMap<number, number>;

/**
 * The vectors of all memories. The database compares them where it can (pgvector); elsewhere they are kept in this process
 * until one changes.
 */
export interface VectorIndex {
  /** Of all memories with a vector of the same length. */
  similarities(database: Db, vector: Float32Array): Promise<Similarities>;
}

interface Loaded {
  readonly version: string;
  readonly vectors: ReadonlyMap<number, Float32Array>;
}

export function createVectorIndex(): VectorIndex {
  let loaded: Loaded | undefined;
  return {
    async similarities(database, vector) {
      const query = toUnit(vector);
      const compared = await comparedByPgvector(database, query);
      if (compared) {
        loaded = undefined;
        return compared;
      }
      const version = await versionOf(database);
      if (loaded?.version !== version) loaded = { version, vectors: await readVectors(database) };
      const found = new Map<number, number>();
      for (const [memory, each] of loaded.vectors) {
        if (each.length === query.length) found.set(memory, dot(query, each));
      }
      return found;
    },
  };
}

/** Undefined where the database can't. */
async function comparedByPgvector(database: Db, query: Float32Array): Promise<Similarities | undefined> {
  if (dialectOf(database).kind !== 'postgres') return undefined;
  const { similaritiesByPgvector } = await import('./pgvector.ts');
  return await similaritiesByPgvector(database, query);
}

/** Replaces the memory's vector. Does nothing if the memory was forgotten in the meantime. */
export async function storeVector(database: Db, memory: number, vector: Float32Array): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('memory_vectors').where('memory_id', '=', memory).execute();
    await sql`
      insert into memory_vectors (memory_id, vector) select id, ${toBytes(toUnit(vector))} from memory_memories
      where id = ${memory} and archived_at is null and superseded_by is null`.execute(transaction);
  });
}

/** Deleting changes the count, storing changes the greatest id. */
async function versionOf(database: Db): Promise<string> {
  const { rows } = await sql<{ count: number; last: number | null }>`
    select count(*) as count, max(id) as last from memory_vectors`.execute(database);
  return `${rows[0]!.count} ${rows[0]!.last}`;
}

async function readVectors(database: Db): Promise<ReadonlyMap<number, Float32Array>> {
  const rows = await database.selectFrom('memory_vectors').select(['memory_id', 'vector']).execute();
  return new Map(rows.map(({ memory_id, vector }) => [memory_id, toVector(vector)]));
}
