import type { JsonObject, ToolResult } from '../result.ts';

/** Calls of MCP clients that go on as background jobs of the host: MCP's tasks. */
export interface ClientTasks {
  /**
   * From now on the work is a job: on disk when this resolves, listed, cancelled and interrupted as any other. Throws
   * PEG_LIMIT.
   */
  adopt(job: AdoptedJob): Promise<TaskRecord>;
  find(id: number): Promise<TaskRecord | undefined>;
}

export interface AdoptedJob {
  readonly tool: string;
  readonly args: unknown;
  /** "mcp:claude-code" */
  readonly starter: string;
  readonly work: Promise<ToolResult>;
  /** Ends the work. */
  readonly controller: AbortController;
}

export interface TaskRecord {
  readonly id: number;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  readonly tool: string;
  readonly result?: ToolResult;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** MCP's `execution` of a tool: whether clients may, or have to, call it as a task. */
export type Execution = JsonObject & { readonly taskSupport?: unknown };
