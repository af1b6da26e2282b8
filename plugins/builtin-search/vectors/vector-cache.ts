import { createHash } from 'node:crypto';
import type { VectorCache } from 'pegboard/kit';

export const contentHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** In memory, for the lifetime of the process. */
export function createMemoryVectorCache(): VectorCache {
  const models = new Map<string, Map<string, Float32Array>>();
  return {
    async getMany(model, hashes) {
      const known = models.get(model);
      const found = new Map<string, Float32Array>();
      for (const hash of hashes) {
        const vector = known?.get(hash);
        if (vector) found.set(hash, vector);
      }
      return found;
    },
    async putMany(model, entries) {
      const known = models.get(model) ?? new Map();
      models.set(model, known);
      for (const [hash, vector] of entries) known.set(hash, vector);
    },
  };
}
