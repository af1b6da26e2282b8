import type { JsonObject, ToolResult } from '../result.ts';

/** MCP's tasks: calls of MCP clients that run as background jobs of the host. */
export interface ClientTasks {
  /**
   * Turns running work into a job, which is listed, cancelled and interrupted like any other. Stored on disk when this
   * resolves. Throws PEG_LIMIT.
   */
  adopt(job: AdoptedJob): Promise<TaskRecord>;
  find(id: number): Promise<TaskRecord | undefined>;
}

interface AdoptedJob {
  readonly tool: string;
  readonly args: unknown;
  /** "mcp:claude-code" */
  readonly starter: string;
  readonly work: Promise<ToolResult>;
  /** Aborts the work. */
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
