/** What crosses the border between the host and a script's thread: text and numbers, never an object of the script. */

/** A request of the script, which waits for its answer. */
export interface ScriptRequest {
  readonly id: number;
  readonly kind: 'call' | 'search' | 'types';
  /** The name of a tool, or the words of a search. */
  readonly name: string;
  /** JSON. */
  readonly args: string;
}

/** The JSON of an Answer. */
export type GivenAnswer = readonly [id: number, json: string];

/** A program as the body of an async function. `args`: the JSON of its global of that name; absent: it has none. */
export interface Program {
  readonly program: string;
  readonly args?: string;
}

export interface VmLimits {
  /** Milliseconds. */
  readonly cpuMs: number;
  /** Bytes. */
  readonly memory: number;
  readonly calls: number;
}

/** A script that waits, as another thread can go on with it, also in another process. */
export interface SavedVm {
  readonly memory: Uint8Array;
  /** Where the bridge's functions are found in it. */
  readonly bridge: number;
  /** Characters, also those that were left out. */
  readonly logged: number;
  readonly usedMs: number;
}

export type ToThread =
  | (Program & { readonly limits: VmLimits })
  | { readonly saved: SavedVm; readonly open: readonly ScriptRequest[]; readonly limits: VmLimits }
  | { readonly answers: readonly GivenAnswer[] }
  /** It is answered with a SavedVm. */
  | { readonly save: true };

/** An error that the script threw and nobody caught. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  /** Of a ToolError. */
  readonly code?: string | undefined;
  /** In the program, from 1 on. */
  readonly line?: number | undefined;
  /** As the program named the tool of a ToolError. */
  readonly tool?: string | undefined;
}

export type GuestEnd =
  /** `json`: what it returned. Absent: nothing. `unhandled`: rejections that nothing handled. */
  | {
      readonly kind: 'returned';
      readonly json: string | undefined;
      readonly unhandled: readonly ThrownError[];
    }
  | { readonly kind: 'threw'; readonly error: ThrownError }
  | { readonly kind: 'exceeded'; readonly limit: 'cpu' | 'memory' };

/** What the script did until it waited or ended. One that goes on in another thread begins with its open requests. */
export interface Step {
  readonly requests: readonly ScriptRequest[];
  readonly log: readonly string[];
  /** Milliseconds of processor time since its start. */
  readonly usedMs: number;
  readonly end?: GuestEnd | undefined;
}

export interface SentStep extends Step {
  /** The memory of all VMs that have ended in the thread, which it may hold until its collector runs. */
  readonly heldBytes: number;
}
