/** Who stored a secret: the owner at the terminal, an agent's tool, or a variable `EXT_…`. */
export type SecretOrigin = 'owner' | 'agent' | 'environment';

/** A secret without its value. */
export interface SecretEntry {
  readonly name: string;
  readonly origin: SecretOrigin;
  /** ISO 8601. */
  readonly at: string;
}

/** The store of secret values that tools need. */
export interface Secrets {
  get(name: string): string | undefined;
  /** Sorted by name. */
  list(): readonly SecretEntry[];
  /** Throws PEG_USAGE for an invalid variable name or an empty value. */
  set(name: string, value: string, origin: SecretOrigin): Promise<void>;
  /** Resolves with false when there was no such secret. */
  delete(name: string): Promise<boolean>;
}

/** Secrets for plugins. */
export interface KnownSecrets extends Secrets {
  /** Whether the bytes hold a secret that this process knows, also one that is not stored. */
  isIn(bytes: Uint8Array): boolean;
}
