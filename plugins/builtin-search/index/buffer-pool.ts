/** Reusable arrays: allocating one for each query costs more than the query. */
export interface BufferPool {
  /** `length` zeros. */
  take(length: number): Float64Array;
  /** The caller is done with it. */
  release(array: Float64Array): void;
}

/** A query needs four at a time. */
const maxPooled = 4;

export function createBufferPool(): BufferPool {
  const kept: Float64Array[] = [];
  return {
    take(length) {
      const last = kept.pop();
      return last?.length === length ? last.fill(0) : new Float64Array(length);
    },
    release(array) {
      if (kept.length < maxPooled) kept.push(array);
    },
  };
}
