/** The author of content that neither the owner nor this home wrote. */
export interface Origin {
  readonly kind: 'web' | 'mcp' | 'person' | 'file' | 'network';
  /** The address, server name, path or person. */
  readonly what: string;
  /** Path of the file from which the content was read: relative inside the home, else absolute. */
  readonly keptIn?: string;
}

/** The origins of untrusted content that a turn has read. It only grows, because a model may act on anything it has read. */
export interface Provenance {
  readonly origins: readonly Origin[];
  note(origin: Origin): void;
}

/**
 * The key under which a value holds its origins. A symbol, so that JSON can neither forge nor leak it. Use `originsOf` and
 * `markUntrusted` to read and write it.
 */
export const provenance: unique symbol = Symbol('provenance');

/** A value that may hold untrusted content. */
export interface Attributed {
  /** Each origin once, the latest last. Absent: the content is trusted. */
  readonly [provenance]?: readonly Origin[];
}
