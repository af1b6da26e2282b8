/** Who wrote something that neither the owner nor this home did. */
export interface Origin {
  readonly kind: 'web' | 'mcp' | 'person' | 'file' | 'network';
  /** Which: an address, a server's name, a path, a person. */
  readonly what: string;
}

/** What a turn has read that others wrote. It only grows: what a model has read, it may act upon. */
export interface Provenance {
  readonly origins: readonly Origin[];
  note(origin: Origin): void;
}
