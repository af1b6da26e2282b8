/** Who put a secret there: the owner at the terminal, an agent's tool, or a variable `EXT_…`. */
export type SecretOrigin = 'owner' | 'agent' | 'environment';

/** Everything about a secret but its value. */
export interface SecretEntry {
  readonly name: string;
  readonly origin: SecretOrigin;
  /** ISO 8601. */
  readonly at: string;
}

/** Values that tools need and nobody should see. */
export interface Secrets {
  get(name: string): string | undefined;
  /** By name. */
  list(): readonly SecretEntry[];
  /** Throws PEG_USAGE for a name that no variable can have, or an empty value. */
  set(name: string, value: string, origin: SecretOrigin): Promise<void>;
  /** False: there was none. */
  delete(name: string): Promise<boolean>;
}
