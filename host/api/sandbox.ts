import type { KnownFolders } from './known-folders.ts';

/**
 * How far a program is confined. `workspace`: it may read everything except secrets, and may write only in its workspace
 * and in folders where writing is free.
 * `strict`: it sees only the system's programs and its workspace, and may write only to a private /tmp.
 */
export type SandboxLevel = 'off' | 'workspace' | 'strict';

/** The sandbox settings of a tool, a space, an agent or the home. Paths are absolute. */
export interface SandboxRule {
  readonly level: SandboxLevel;
  /** True, false, or the tools that have network access: ids, bare names, patterns. */
  readonly network: boolean | readonly string[];
  /** Paths that may be written in addition to those of the level. */
  readonly write: readonly string[];
  /** Additional readable paths: under `strict`, beside the system and the workspace; under `workspace`, parts of /tmp, which is hidden. */
  readonly read: readonly string[];
  /** Limits for a program and all that it starts: bytes of memory, and concurrent processes. Default: the standard limits. */
  readonly memory?: number;
  readonly processes?: number;
}

/** The sandbox for the programs of one call. */
export interface Sandbox {
  readonly level: Exclude<SandboxLevel, 'off'>;
  readonly network: boolean;
  /** At least one. Each can only restrict further. */
  readonly rules: readonly SandboxRule[];
  /** The folders that decide where the caller may write. */
  readonly knownFolders: KnownFolders;
}
