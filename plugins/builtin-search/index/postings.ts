/**
 * The documents of each term, with a value for each, in two long arrays. Every term owns a block whose size is a power of
 * two. A full block moves to one twice its size, and the old one is reused. So a hundred thousand short lists need no
 * objects, and documents can be added and removed one by one.
 */
export interface Postings {
  /** The id of a term; a new one when it has none. */
  idOf(term: string): number;
  /** -1 for an unknown term. A term that is in no document any more keeps its id. */
  find(term: string): number;
  /** By id, in the order in which they were first seen. */
  readonly terms: readonly string[];
  /** Number of documents that have the term. */
  count(id: number): number;
  add(id: number, document: number, value: number): void;
  remove(id: number, document: number): void;
  /** 0 when the document doesn't have the term. */
  valueOf(id: number, document: number): number;
  /** Adds `factor` times the value to each document that has the term. */
  addTo(scores: Float64Array, id: number, factor: number): void;
  forEach(id: number, visit: (document: number, value: number) => void): void;
}

const firstRoom = 1 << 12;

export function createPostings(): Postings {
  const ids = new Map<string, number>();
  const terms: string[] = [];
  const starts: number[] = [];
  const counts: number[] = [];
  /** Exponents of two. */
  const sizes: number[] = [];
  const freeBlocks: number[][] = [];
  let documents = new Uint32Array(firstRoom);
  let values = new Float32Array(firstRoom);
  let used = 0;

  const takeBlock = (size: number): number => {
    const free = freeBlocks[size]?.pop();
    if (free !== undefined) return free;
    const start = used;
    used += 1 << size;
    if (used > documents.length) {
      const room = Math.max(used, Math.ceil(documents.length * 1.5));
      documents = grow(documents, new Uint32Array(room));
      values = grow(values, new Float32Array(room));
    }
    return start;
  };
  const moveToLargerBlock = (id: number): void => {
    const [from, size] = [starts[id]!, sizes[id]!];
    const to = takeBlock(size + 1);
    documents.copyWithin(to, from, from + (1 << size));
    values.copyWithin(to, from, from + (1 << size));
    (freeBlocks[size] ??= []).push(from);
    starts[id] = to;
    sizes[id] = size + 1;
  };

  return {
    terms,
    idOf(term) {
      let id = ids.get(term);
      if (id === undefined) {
        id = terms.push(term) - 1;
        ids.set(term, id);
        starts.push(takeBlock(0));
        sizes.push(0);
        counts.push(0);
      }
      return id;
    },
    find: (term) => ids.get(term) ?? -1,
    count: (id) => counts[id]!,
    add(id, document, value) {
      const count = counts[id]!;
      if (count === 1 << sizes[id]!) moveToLargerBlock(id);
      const at = starts[id]! + count;
      documents[at] = document;
      values[at] = value;
      counts[id] = count + 1;
    },
    remove(id, document) {
      const start = starts[id]!;
      const last = start + counts[id]! - 1;
      const at = documents.indexOf(document, start);
      if (at < 0 || at > last) return;
      documents[at] = documents[last]!;
      values[at] = values[last]!;
      counts[id]!--;
    },
    valueOf(id, document) {
      const start = starts[id]!;
      const at = documents.subarray(start, start + counts[id]!).indexOf(document);
      return at < 0 ? 0 : values[start + at]!;
    },
    addTo(scores, id, factor) {
      const start = starts[id]!;
      const end = start + counts[id]!;
      for (let at = start; at < end; at++) scores[documents[at]!]! += factor * values[at]!;
    },
    forEach(id, visit) {
      const start = starts[id]!;
      const end = start + counts[id]!;
      for (let at = start; at < end; at++) visit(documents[at]!, values[at]!);
    },
  };
}

function grow<Numbers extends Uint32Array | Float32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
