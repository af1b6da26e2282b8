import { sql, type Kysely } from 'kysely';
import type { MemoryTables } from '../tables.ts';
import { toVector } from './numbers.ts';

type Db = Kysely<MemoryTables>;

/** The most numbers of a `vector`. */
const maxLength = 16_000;
/** How many are copied at once. */
const batchSize = 200;

/**
 * Cosine similarities, by memory id, of all memories with a vector of the same length as `query`, which has length 1.
 * Compared by the extension `vector`, which may be installed and removed at any time. Undefined where it isn't installed
 * or may not be used, for more numbers than it takes, and until all vectors are copied, some with each call.
 */
export async function similaritiesByPgvector(
  database: Db,
  query: Float32Array,
): Promise<ReadonlyMap<number, number> | undefined> {
  if (query.length > maxLength) return undefined;
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'vector' and has_schema_privilege(extnamespace, 'usage')`.execute(database);
  if (!rows[0] || !(await copyNewVectors(database))) return undefined;
  const { schema } = rows[0];
  const type = sql.id(schema, 'vector');
  const found = await sql<{ memory: number; similarity: number }>`
    select memory_id as memory,
      -(numbers::${type} operator(${sql.id(schema)}.<#>) ${toArrayBytes(query)}::real[]::${type}) as similarity
    from memory_vectors join memory_vector_numbers on vector_id = id
    where length = ${query.length}`.execute(database);
  return new Map(found.rows.map(({ memory, similarity }) => [memory, similarity]));
}

/**
 * Vectors are stored as bytes, as in SQLite; `memory_vector_numbers` has them in a form that the extension reads. Returns
 * whether it has all.
 */
async function copyNewVectors(database: Db): Promise<boolean> {
  const { rows } = await sql<{ id: number; vector: Uint8Array }>`
    select id, vector from memory_vectors
    where octet_length(vector) <= ${maxLength * Float32Array.BYTES_PER_ELEMENT}
      and not exists (select 1 from memory_vector_numbers where vector_id = id)
    order by id limit ${batchSize + 1}`.execute(database);
  if (rows.length === 0) return true;
  const copies = rows.slice(0, batchSize).map(({ id, vector }) => {
    const numbers = toVector(vector);
    return sql`(${id}::bigint, ${numbers.length}::integer, ${toArrayBytes(numbers)}::real[])`;
  });
  // In a transaction, so that none is deleted meanwhile.
  await database.transaction().execute((transaction) =>
    sql`
      insert into memory_vector_numbers (vector_id, length, numbers)
      select id, copy.length, copy.numbers
      from memory_vectors join (values ${sql.join(copies)}) copy (vector_id, length, numbers) on vector_id = id
      on conflict do nothing`.execute(transaction),
  );
  return rows.length <= batchSize;
}

/** The number of the type `real`. */
const real = 700;

/** A `real[]` as the protocol sends it in binary: many times faster than text. */
function toArrayBytes(vector: Float32Array): Buffer {
  const dimensions = 1;
  const bytes = Buffer.alloc(20 + vector.length * 8);
  [dimensions, 0, real, vector.length, 1].forEach((word, at) => bytes.writeInt32BE(word, at * 4));
  vector.forEach((number, at) => {
    bytes.writeInt32BE(4, 20 + at * 8);
    bytes.writeFloatBE(number, 24 + at * 8);
  });
  return bytes;
}
