/** Who wrote something that neither the owner nor this home did. */
export interface Origin {
  readonly kind: 'web' | 'mcp' | 'person' | 'file' | 'network';
  /** Which: an address, a server's name, a path, a person. */
  readonly what: string;
  /** Path of the file that was read for it, where their words lie by now: relative in the home, else absolute. */
  readonly keptIn?: string;
}

/** What a turn has read that others wrote. It only grows: what a model has read, it may act upon. */
export interface Provenance {
  readonly origins: readonly Origin[];
  note(origin: Origin): void;
}

/**
 * Where a value says who wrote what is in it. A symbol, so that no JSON from outside can hold it and none that leaves
 * does. Read and written with `originsOf` and `markUntrusted`.
 */
export const provenance: unique symbol = Symbol('provenance');

/** A value that may carry others' words. */
export interface Attributed {
  /** Each origin once, the latest last. Absent: the owner or this home wrote it. */
  readonly [provenance]?: readonly Origin[];
}
