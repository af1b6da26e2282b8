import type { PeerMethod } from '../../api/mcp/peer.ts';
import type { JsonObject, ToolResult } from '../../api/result.ts';
import type { ClientTasks, TaskRecord } from '../../api/mcp/tasks.ts';
import { invalidParams } from '../protocol/rpc-error.ts';
import type { Signer } from '../http/signer.ts';

/** The extension of the 2026-07-28 protocol; before it, tasks were part of the protocol itself. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Tasks of the 2025-11-25 protocol, as a member of MCP's ServerCapabilities. */
export const legacyTasksCapability: JsonObject = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/** A question of running work, for the client to answer. */
export interface TaskQuestion {
  readonly method: PeerMethod;
  readonly params: JsonObject;
  readonly resolve: (response: JsonObject) => void;
}

interface NewTask {
  readonly tool: string;
  readonly args: unknown;
  readonly starter: string;
  readonly work: Promise<ToolResult>;
  readonly controller: AbortController;
  /** Open questions by name. */
  readonly questions: Map<string, TaskQuestion>;
}

type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The current state of a task. */
export interface ServedTask {
  readonly id: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly questions: ReadonlyMap<string, TaskQuestion>;
  /** Set once it has ended without being cancelled. */
  readonly result?: ToolResult;
  /** Resolves when it has ended; undefined where it runs in another process. */
  readonly ended: Promise<unknown> | undefined;
}

/** Calls that run as tasks, which are background jobs of the host. Ids are signed and valid for one selection only. */
export interface Tasks {
  create(task: NewTask): Promise<ServedTask>;
  /** Throws invalid params for an invalid id. */
  find(id: unknown): Promise<ServedTask>;
  /** Tasks of this process that a session started, by the name of its client. */
  list(starter: string): Promise<readonly ServedTask[]>;
  /** Resolves when cancelling has begun. Does nothing for a task that has ended. */
  cancel(id: unknown): Promise<void>;
}

/** As long as jobs are kept after their end. */
export const retentionMs = 7 * 86_400_000;
export const pollEveryMs = 1_000;
/** How many ended tasks keep their results in memory; others are read from disk. */
const maxRemembered = 100;
const purpose = 'task';

interface Live extends NewTask {
  readonly id: string;
  readonly record: TaskRecord;
  endedAt?: string;
  result?: ToolResult;
}

export function createTasks(store: ClientTasks, signer: Signer, selection: string): Tasks {
  const live = new Map<number, Live>();

  const jobIn = (id: unknown): number => {
    const said = signer.open(purpose, id);
    if (said?.['selection'] !== selection) throw invalidParams('There is no such task.');
    return said['job'] as number;
  };
  const forgetOldest = (): void => {
    const ended = [...live].filter(([, { endedAt }]) => endedAt !== undefined);
    for (const [job] of ended.slice(0, Math.max(0, ended.length - maxRemembered))) live.delete(job);
  };
  const ofLive = (task: Live): ServedTask => {
    const { id, record, questions, controller, result, endedAt, work } = task;
    const isCancelled = controller.signal.aborted;
    const running = questions.size > 0 ? 'input_required' : 'working';
    return {
      id,
      status: isCancelled ? 'cancelled' : result ? statusOf(result) : running,
      createdAt: record.startedAt,
      lastUpdatedAt: endedAt ?? new Date().toISOString(),
      questions,
      ...(result && !isCancelled && { result }),
      ended: work,
    };
  };
  const ended = async (task: Live): Promise<void> => {
    task.result = await task.work;
    task.endedAt = new Date().toISOString();
    task.questions.clear();
    forgetOldest();
  };
  const find = async (id: unknown): Promise<ServedTask> => {
    const job = jobIn(id);
    const known = live.get(job);
    if (known) return ofLive(known);
    const record = await store.find(job);
    if (!record) throw invalidParams('There is no such task any more.');
    return ofRecord(String(id), record);
  };
  return {
    async create(task) {
      const record = await store.adopt(task);
      const id = signer.seal(purpose, { job: record.id, selection });
      const own: Live = { ...task, id, record };
      live.set(record.id, own);
      void ended(own);
      return ofLive(own);
    },
    find,
    list: async (starter) =>
      [...live.values()].filter((task) => task.starter === starter).map((task) => ofLive(task)),
    async cancel(id) {
      const known = live.get(jobIn(id));
      if (known) {
        if (known.result === undefined) known.controller.abort(new Error('the client cancelled the task'));
        return;
      }
      await find(id);
    },
  };
}

const none: ReadonlyMap<string, TaskQuestion> = new Map();

function ofRecord(id: string, { state, result, startedAt, endedAt }: TaskRecord): ServedTask {
  const common = { id, createdAt: startedAt, lastUpdatedAt: endedAt ?? startedAt, questions: none };
  switch (state) {
    case 'running':
      return { ...common, status: 'working', ended: undefined };
    case 'cancelled':
      return { ...common, status: 'cancelled', ended: Promise.resolve() };
    case 'interrupted':
      return {
        ...common,
        status: 'failed',
        statusMessage: 'Pegboard ended while the task ran.',
        ended: Promise.resolve(),
      };
    case 'done':
    case 'failed':
      return {
        ...common,
        status: result ? statusOf(result) : 'failed',
        ...(result && { result }),
        ended: Promise.resolve(),
      };
  }
}

/** A tool that ran and failed has completed; `failed` is for errors of the protocol. */
const statusOf = ({ error }: ToolResult): TaskStatus =>
  error?.code === 'PEG_SERVER_ERROR' || error?.code === 'PEG_CLIENT_CAPABILITY' ? 'failed' : 'completed';
