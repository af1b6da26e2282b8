import type { McpServerConfig } from 'pegboard/home';

/** A home of another program, as far as Pegboard can use it. Nothing of it has been run or changed. */
export interface ForeignHome {
  /** "OpenClaw" */
  readonly program: string;
  /** The space that gets its files: "openclaw". */
  readonly space: string;
  /** Absolute. */
  readonly folder: string;
  readonly files: readonly ForeignFile[];
  readonly memories: readonly ForeignMemory[];
  readonly schedules: readonly ForeignSchedule[];
  readonly people: readonly ForeignPerson[];
  readonly servers: readonly ForeignServer[];
  readonly leftOut: readonly LeftOut[];
}

/** A file of the identity or of a skill. */
export interface ForeignFile {
  readonly kind: 'identity' | 'skill';
  /** Path in the space, separated by "/". */
  readonly to: string;
  readonly content: Uint8Array;
  /** Path in the foreign home. */
  readonly from: string;
}

export interface ForeignMemory {
  readonly text: string;
  /** The day that it was written on, such as 2026-03-01, where known. */
  readonly date?: string;
  /** Path in the foreign home. */
  readonly from: string;
}

/** Something that an agent does by itself. */
export interface ForeignSchedule {
  readonly name: string;
  readonly prompt: string;
  /** A cron expression or an ISO moment. */
  readonly when: string;
  readonly timezone?: string;
  /** "telegram/12345" */
  readonly chat?: string;
  /** Path in the foreign home. */
  readonly from: string;
}

/** Somebody who may talk to the assistant. */
export interface ForeignPerson {
  readonly channel: 'telegram';
  /** A whole number. */
  readonly id: string;
  /** Path in the foreign home. */
  readonly from: string;
}

/** An MCP server, with `${NAME}` where the foreign home has a secret. */
export interface ForeignServer {
  readonly name: string;
  /** Its name in the foreign home. */
  readonly written: string;
  readonly config: McpServerConfig;
  /** Path in the foreign home. */
  readonly from: string;
}

/** What a part of a foreign home has. */
export interface Found<T> {
  readonly taken: readonly T[];
  readonly leftOut: readonly LeftOut[];
}

/** Something that is not taken. All texts are foreign: they have to be made safe for display. */
export interface LeftOut {
  readonly what: string;
  readonly from: string;
  readonly why: string;
  /** The command that does it by hand. */
  readonly command?: string;
  /** The name that a secret would have here. */
  readonly secret?: string;
}
