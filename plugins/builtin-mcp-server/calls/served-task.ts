import type { JsonObject, ToolResult } from 'pegboard';
import type { PeerMethod } from 'pegboard/serving';

export interface AskedQuestion {
  readonly method: PeerMethod;
  readonly params: JsonObject;
}

/** A question of running work, for the client to answer. */
export interface TaskQuestion extends AskedQuestion {
  readonly resolve: (response: JsonObject) => void;
}

export interface NewTask {
  readonly tool: string;
  readonly args: unknown;
  readonly starter: string;
  readonly work: Promise<ToolResult>;
  readonly controller: AbortController;
  /** Open questions by name. */
  readonly questions: Map<string, TaskQuestion>;
}

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The current state of a task. */
export interface ServedTask {
  readonly id: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly questions: ReadonlyMap<string, AskedQuestion>;
  /** Set once it has ended without being cancelled. */
  readonly result?: ToolResult;
  /** Resolves when it has ended; undefined where it runs in another process. */
  readonly ended: Promise<unknown> | undefined;
}

/** A tool that ran and failed has completed; `failed` is for errors of the protocol. */
export const statusOf = ({ error }: ToolResult): TaskStatus =>
  error?.code === 'PEG_SERVER_ERROR' || error?.code === 'PEG_CLIENT_CAPABILITY' ? 'failed' : 'completed';
