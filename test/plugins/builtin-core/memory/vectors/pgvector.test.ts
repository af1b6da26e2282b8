import { vector } from '@electric-sql/pglite-pgvector';
import { sql, type Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { createKysely } from '../../../../../host/store/database/postgres/kysely.ts';
import { createPool, toKyselyPool } from '../../../../../host/store/database/postgres/pool.ts';
import type { MemoryTables } from '../../../../../plugins/builtin-core/memory/tables.ts';
import {
  createVectorIndex,
  storeVector,
} from '../../../../../plugins/builtin-core/memory/vectors/vectors.ts';
import { toBytes, toUnit } from '../../../../../plugins/builtin-core/memory/vectors/numbers.ts';
import { migrations } from '../../../../../plugins/builtin-core/migrations.ts';
import { startPglite } from '../../../../kit/pglite.ts';

/** The tables, and the memories 1 to 300. */
const setup = `
drop extension if exists vector;
drop schema if exists pegboard cascade;
create schema pegboard;
set search_path = pegboard;
${migrations.map((each) => (typeof each === 'string' ? '' : each.postgres)).join('\n')}
insert into memory_memories (content, category, tags, origin, created_at)
select 'Thing ' || number, 'fact', '[]', 'told', '2026-01-01T00:00:00.000Z' from generate_series(1, 300) number;
`;

/** The same for the same seed. */
const vectorOf = (seed: number, length = 96): Float32Array =>
  Float32Array.from({ length }, (_, at) => Math.sin(seed * 12.9898 + at * 78.233));

test('compares vectors with the extension where it is installed, and finds the same as without it', async () => {
  await using postgres = await startPglite({ vector });
  await using server = await postgres.open(setup);
  const pool = await createPool(server.url);
  const database = createKysely(
    toKyselyPool(pool, { name: 'test', redact: (text) => text }),
  ) as unknown as Kysely<MemoryTables>;
  const copied = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*) from memory_vector_numbers`.execute(
      database,
    );
    return rows[0]!.count;
  };
  const index = createVectorIndex();
  const query = vectorOf(1_000);
  const similarities = async () =>
    new Map([...(await index.similarities(database, query))].sort(([a], [b]) => a - b));

  const stored = Array.from({ length: 250 }, (_, at) => at + 1);
  await database
    .insertInto('memory_vectors')
    .values(stored.map((memory_id) => ({ memory_id, vector: toBytes(toUnit(vectorOf(memory_id))) })))
    .execute();
  // Of another model.
  await storeVector(database, 251, vectorOf(251, 32));
  const own = await similarities();
  expect(own.size).toBe(250);
  expect(await copied()).toBe(0);

  // Installed by somebody else, in a schema that is not searched.
  await sql`create extension vector schema public`.execute(database);
  // Not all are copied at once; meanwhile they are compared as before.
  expect(await similarities()).toEqual(own);
  expect(await copied()).toBe(200);
  const compared = await similarities();
  expect(await copied()).toBe(251);
  expect(compared).not.toEqual(own);
  expect([...compared.keys()]).toEqual([...own.keys()]);
  for (const [memory, similarity] of own) expect(compared.get(memory)).toBeCloseTo(similarity, 5);

  // A vector is replaced, one is new, and one is deleted.
  await storeVector(database, 7, query);
  await storeVector(database, 300, vectorOf(300));
  await database.deleteFrom('memory_vectors').where('memory_id', '=', 9).execute();
  const changed = await similarities();
  expect(changed.get(7)).toBeCloseTo(1, 5);
  expect([changed.has(300), changed.has(9), changed.size]).toEqual([true, false, 250]);

  // More numbers than the extension takes.
  await storeVector(database, 252, vectorOf(252, 17_000));
  expect((await similarities()).size).toBe(250);
  expect([...(await index.similarities(database, vectorOf(252, 17_000))).keys()]).toEqual([252]);

  await sql`drop extension vector`.execute(database);
  const [alone, before] = [await similarities(), [...changed.keys()]];
  expect([...alone.keys()]).toEqual(before);
  for (const [memory, similarity] of changed) expect(alone.get(memory)).toBeCloseTo(similarity, 5);
  await database.destroy();
});
