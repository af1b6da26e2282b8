import type { Surroundings } from 'pegboard';
import type { Host } from 'pegboard/embed';
import type { LeftOut } from './foreign-home.ts';

/** What an import has brought. */
export interface ImportReport {
  /** Paths in the home. In a dry run, what would be written. */
  readonly files: readonly string[];
  readonly memories: number;
  /** Names of schedules, which are paused. */
  readonly schedules: readonly string[];
  /** "telegram/12345" */
  readonly people: readonly string[];
  /** Names of MCP servers. */
  readonly servers: readonly string[];
  /** Servers that have another name here. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Files, memories, schedules, people and servers that were here already. */
  readonly known: number;
  readonly leftOut: readonly LeftOut[];
}

export interface ImportOptions {
  /** Reports what would be done. */
  readonly dryRun: boolean;
  readonly surroundings: Surroundings;
  /** Lets the people of the foreign home talk to the assistant. */
  readonly people: boolean;
  /** Adds the MCP servers of the foreign home. */
  readonly servers: boolean;
  readonly signal: AbortSignal;
  /** The home has no data yet, so that a dry run needs to look for none. */
  readonly isFresh: boolean;
  /** Opens the home's host, for its memory. */
  readonly openHost: () => Promise<Host>;
}
