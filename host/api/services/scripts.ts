import type { ToolResult } from '../result.ts';
import type { ToolCall } from '../tool.ts';
import { defineToken } from './token.ts';

export interface ScriptOptions {
  /** Tools that may change something are refused. Holds for scripts within the script too. */
  readonly readOnly?: boolean;
  /** The parameters of the program's own tool, as its global `args`. */
  readonly args?: object;
}

/** Runs programs over the tools of a host. */
export interface Scripts {
  /**
   * Runs a program, the body of an async function in TypeScript, for a call, whose rights, questions and cancellation it
   * has. Throws PEG_SCRIPT_FAILED, which says what the script had done; PEG_BUSY when too many others run.
   */
  readonly run: (program: string, call: ToolCall, options?: ScriptOptions) => Promise<ToolResult>;
  /** Of paused scripts that this process can go on with. */
  pausedVersion(): Promise<string>;
}

export const Scripts = defineToken<Scripts>('scripts', 'programs over tools');
