import type { Caller } from 'pegboard';

/** The settings of plugin.yaml's `config`, with defaults filled in. */
export interface DatabaseConfig {
  readonly timeoutSeconds: number;
  readonly maxRows: number;
  readonly allowWrites: boolean;
}

/** The limits of one call. */
export interface Limits {
  /** Milliseconds. */
  readonly timeout: number;
  readonly maxRows: number;
  /** Total bytes of all values. */
  readonly maxBytes: number;
  readonly allowWrites: boolean;
}

const maxBytes = 2_000_000;

/** The home's settings, restricted by the acting agent's file. */
export function limitsFor(config: DatabaseConfig, { module }: Pick<Caller, 'module'>): Limits {
  const own = (module?.config ?? {}) as {
    readonly timeout_seconds?: number;
    readonly max_rows?: number;
    readonly allow_writes?: boolean;
  };
  return {
    timeout: (own.timeout_seconds ?? config.timeoutSeconds) * 1_000,
    maxRows: own.max_rows ?? config.maxRows,
    maxBytes,
    allowWrites: own.allow_writes ?? config.allowWrites,
  };
}
