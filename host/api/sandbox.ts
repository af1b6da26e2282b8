import type { KnownFolders } from './known-folders.ts';

/**
 * How far a program is confined. `workspace`: it reads what it likes but secrets, and writes in its workspace and in
 * folders that are free alone.
 * `strict`: it sees the system's programs and its workspace, and writes nowhere but in a private /tmp.
 */
export type SandboxLevel = 'off' | 'workspace' | 'strict';

/** What a tool, a space, an agent or the home says of the programs that it concerns. Paths are absolute. */
export interface SandboxRule {
  readonly level: SandboxLevel;
  /** Or which tools have it: ids, bare names, patterns. */
  readonly network: boolean | readonly string[];
  /** What may be written to beside what the level says. */
  readonly write: readonly string[];
  /** Visible beside system and workspace under `strict`; in a workspace, where only /tmp is out of sight, what of that isn't. */
  readonly read: readonly string[];
  /** Bytes of memory, and processes at a time, that a program may have with all that it starts; absent: the usual limits. */
  readonly memory?: number;
  readonly processes?: number;
}

/** What holds for the programs of one call. */
export interface Sandbox {
  readonly level: Exclude<SandboxLevel, 'off'>;
  readonly network: boolean;
  /** At least one: each only takes away from what the others leave. */
  readonly rules: readonly SandboxRule[];
  /** Where whoever acts may write, and what stays as it is. */
  readonly places: KnownFolders;
}
