/** Arrays of zeros that are used again and again: a fresh one for each query costs more than the query. */
export interface Scratch {
  /** `length` zeros. */
  take(length: number): Float64Array;
  /** The caller is done with it. */
  give(array: Float64Array): void;
}

/** A query needs four at a time. */
const mostKept = 4;

export function createScratch(): Scratch {
  const kept: Float64Array[] = [];
  return {
    take(length) {
      const last = kept.pop();
      return last?.length === length ? last.fill(0) : new Float64Array(length);
    },
    give(array) {
      if (kept.length < mostKept) kept.push(array);
    },
  };
}
