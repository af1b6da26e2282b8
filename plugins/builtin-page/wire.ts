/** What goes between a host and its page. Types only: both sides import this file, and neither loads anything for it. */
import type { Content, JsonSchema, OpenQuestion, ToolFailure } from 'pegboard/browser';
import type { ChatEvent } from './chat/wire.ts';

export interface ApiFailure {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** What is wrong with single fields. */
    readonly problems?: readonly FieldProblem[];
    /** Begins a command that signs this browser in, when it is not: "npx pegboard". */
    readonly program?: string;
  };
}

/** Something wrong with a value: at `path`, a JSON pointer, or at the member of it that is missing or unknown. */
export interface FieldProblem {
  readonly path: string;
  readonly property?: string;
  readonly message: string;
}

/** A tool in the list. */
export interface ToolRow {
  readonly id: string;
  readonly kind: string;
  /** The first line of its description. */
  readonly summary: string;
  readonly confirm: boolean;
  readonly readOnly: boolean;
}

export interface ToolDetails extends ToolRow {
  readonly title?: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly examples: readonly { readonly input: object }[];
  /** Seconds. */
  readonly timeout: number;
  /** What defines it: a file, the name of a server. */
  readonly origin?: string;
  readonly documentation?: string;
}

export interface Preview {
  /** What exactly would run; absent for tools that don't say. */
  readonly preview?: string;
  readonly cwd?: string;
  /** Why nothing would run: the arguments don't fit. */
  readonly problem?: string;
}

export interface CallResult {
  readonly ok: boolean;
  readonly content: readonly Content[];
  readonly structured?: unknown;
  readonly error?: ToolFailure;
  /** Milliseconds. */
  readonly ms: number;
}

/** A call. A later row with the same id replaces an earlier one. */
export interface CallRow {
  readonly id: string;
  readonly tool: string;
  readonly caller: string;
  readonly agent?: string;
  /** The call or conversation that it belongs to. */
  readonly within?: string;
  /** When it began: epoch milliseconds. */
  readonly at: number;
  /** Duration in milliseconds, without `waitedMs`; absent while it runs. */
  readonly ms?: number;
  /** Milliseconds for which it waited for a person. */
  readonly waitedMs?: number;
  /** "ok", or the code of the failure; absent while it runs. */
  readonly outcome?: string;
  /** Who allowed or refused it. */
  readonly by?: string;
  /** The beginning of its arguments; absent for calls of other processes. */
  readonly args?: string;
  /** The beginning of its result. */
  readonly result?: string;
  /** Made in another process. */
  readonly elsewhere?: true;
}

export interface CallDetails {
  /** JSON, redacted; absent when it is no longer kept. */
  readonly args?: string;
  readonly result?: CallResult;
}

/** A question that waits for an answer. */
export interface OpenQuestionRow extends Omit<OpenQuestion, 'agent' | 'unattended'> {
  readonly agent?: string;
  /** The tab in which it is asked, of kinds that are asked in one. */
  readonly tab?: string;
}

export interface QuestionOutcome {
  /** Whether this answer was the first. */
  readonly counts: boolean;
  /** The answer that counts; absent when the question timed out or its asker has ended. */
  readonly decided?: { readonly decision: string; readonly by: string; readonly at: string };
}

/** Something new or changed that is not used before the owner has approved it. */
export interface PendingRow {
  readonly id: string;
  readonly what: readonly string[];
  readonly question: string;
  readonly detail: string;
  readonly isComplete: boolean;
  /** Shows it in a terminal, and asks there. */
  readonly command: string;
  readonly warnings: readonly string[];
  /** Identifies what is shown: the approval is for this alone. */
  readonly shown: string;
}

export interface DiagnosticRow {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
}

export interface HomeStatus {
  readonly home: string;
  readonly version: string;
  readonly tools: number;
  /** The model that answers, or why none does. */
  readonly model: { readonly ok: boolean; readonly text: string; readonly fix?: string };
  readonly sandbox: { readonly ok: boolean; readonly text: string };
  readonly servers: readonly {
    readonly name: string;
    readonly state: string;
    readonly tools: number;
    readonly problem?: string;
  }[];
  readonly plugins: readonly {
    readonly id: string;
    readonly version: string;
    readonly state: string;
    readonly problem?: string;
  }[];
  readonly spaces: readonly {
    readonly id: string;
    readonly agents: readonly string[];
    readonly pending: boolean;
  }[];
  /** What running services say of themselves. */
  readonly reports: readonly { readonly name: string; readonly status: string; readonly message: string }[];
  readonly pendingApprovals: number;
  readonly diagnostics: {
    readonly errors: number;
    readonly warnings: number;
    readonly first: readonly DiagnosticRow[];
  };
}

export interface HostsView {
  /** There are several, or something has waited for long. */
  readonly isWorthShowing: boolean;
  readonly hosts: readonly {
    /** "box/4711" */
    readonly id: string;
    readonly isLive: boolean;
    /** The one that serves this page. */
    readonly isThisOne: boolean;
    /** ISO 8601 */
    readonly seenAt: string;
    readonly roles: readonly string[];
  }[];
  /** Those with jobs that wait, run or failed for good. */
  readonly queues: readonly {
    readonly name: string;
    /** Those that could begin. */
    readonly waiting: number;
    readonly running: number;
    readonly dead: number;
    readonly oldestMs: number;
    readonly isLate: boolean;
  }[];
  readonly haveSameFiles: boolean;
}

/** Sent on the one stream of a browser. */
export type LiveEvent =
  /** `program` begins a command that calls this Pegboard: "npx pegboard". */
  | { readonly type: 'hello'; readonly registry: number; readonly program: string }
  | { readonly type: 'calls'; readonly rows: readonly CallRow[] }
  /** So many rows were left out, because this browser reads too slowly or was away for too long. */
  | { readonly type: 'gap'; readonly rows: number }
  /** The tools, or anything else that the registry knows, have changed. */
  | { readonly type: 'tools'; readonly registry: number }
  | { readonly type: 'questions'; readonly open: readonly OpenQuestionRow[] }
  | ChatEvent;
