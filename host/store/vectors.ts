import type { VectorCache } from '../api/store/vectors.ts';
import type { Database } from './database/database.ts';

/** Values per statement. SQLite allows at most 32,766, and statements of equal length are compiled once. */
const chunkSize = 500;

export function createVectors(database: Database): VectorCache {
  return {
    async getMany(model, hashes) {
      const found = new Map<string, Float32Array>();
      const open = await database.existing();
      if (!open) return found;
      for (const some of inChunks(hashes)) {
        const rows = await open
          .selectFrom('embeddings')
          .select(['hash', 'vector'])
          .where('model', '=', model)
          .where('hash', 'in', some)
          .execute();
        for (const { hash, vector } of rows) found.set(hash, toVector(vector));
      }
      return found;
    },
    async putMany(model, entries) {
      if (entries.size === 0) return;
      const rows = [...entries].map(([hash, vector]) => ({ model, hash, vector: toBytes(vector) }));
      const open = await database.open();
      await open.transaction().execute(async (transaction) => {
        for (const some of inChunks(rows)) {
          await transaction
            .insertInto('embeddings')
            .values(some)
            .onConflict((conflict) =>
              conflict
                .columns(['model', 'hash'])
                .doUpdateSet((eb) => ({ vector: eb.ref('excluded.vector') })),
            )
            .execute();
        }
      });
    },
  };
}

function* inChunks<T>(items: readonly T[]): Iterable<T[]> {
  for (let start = 0; start < items.length; start += chunkSize) yield items.slice(start, start + chunkSize);
}

function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Copied, because SQLite's bytes may start at any offset, and floats need an aligned one. */
function toVector(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
