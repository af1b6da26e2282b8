import type { JsonObject } from 'pegboard';
import type { ClientTasks, TaskRecord } from 'pegboard/serving';
import type { Correspondence } from '../hosts/correspondence.ts';
import { invalidParams } from '../protocol/rpc-error.ts';
import type { Signer } from '../http/signer.ts';
import { LiveTasks } from './live-tasks.ts';
import { statusOf, type NewTask, type ServedTask, type AskedQuestion } from './served-task.ts';
import { createTasksElsewhere, type TaskAt } from './tasks-elsewhere.ts';

/** The extension of the 2026-07-28 protocol; before it, tasks were part of the protocol itself. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Tasks of the 2025-11-25 protocol, as a member of MCP's ServerCapabilities. */
export const legacyTasksCapability: JsonObject = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/**
 * Calls that run as tasks, which are background jobs of their host. Ids are signed, valid for one selection only, and name the
 * host where there are several.
 */
export interface Tasks extends Disposable {
  create(task: NewTask): Promise<ServedTask>;
  /** Throws invalid params for an invalid id. */
  find(id: unknown): Promise<ServedTask>;
  /** Tasks of running hosts that a session started, by the name of its client. */
  list(starter: string): Promise<readonly ServedTask[]>;
  /** Answers open questions, by their names. What is no answer to one of them is left out. */
  answer(id: unknown, responses: JsonObject | undefined): Promise<void>;
  /** Resolves when cancelling has begun. Does nothing for a task that has ended. */
  cancel(id: unknown): Promise<void>;
}

/** As long as jobs are kept after their end. */
export const retentionMs = 7 * 86_400_000;
export const pollEveryMs = 1_000;
const purpose = 'task';

/** `hosts`: other servers, which have tasks of the same clients. */
export function createTasks(
  store: ClientTasks,
  signer: Signer,
  selection: string,
  hosts?: Correspondence,
): Tasks {
  const live = new LiveTasks();
  const elsewhere = hosts && createTasksElsewhere(hosts, selection, live);
  const read = (id: unknown): TaskAt => {
    const said = signer.open(purpose, id);
    if (said?.['selection'] !== selection) throw invalidParams('There is no such task.');
    const { job, host } = said;
    return {
      job: job as number,
      ...(typeof host === 'string' && host !== hosts?.address && { elsewhere: host }),
    };
  };
  const find = async (id: unknown): Promise<ServedTask> => {
    const at = read(id);
    const known = live.find(at.job);
    if (known) return known;
    const running = await elsewhere?.find(at);
    const record = await store.find(at.job);
    if (!record) throw invalidParams('There is no such task any more.');
    const stored = ofRecord(String(id), record);
    return running && record.state === 'running' ? { ...stored, ...running } : stored;
  };
  return {
    async create(task) {
      const record = await store.adopt(task);
      const host = hosts && { host: hosts.address };
      return live.add({ ...task, id: signer.seal(purpose, { job: record.id, selection, ...host }), record });
    },
    find,
    list: async (starter) => [...live.list(starter), ...((await elsewhere?.list(starter)) ?? [])],
    async answer(id, responses = {}) {
      const at = read(id);
      if (live.find(at.job)) live.answer(at.job, responses);
      else await elsewhere?.answer(at, responses);
    },
    async cancel(id) {
      const at = read(id);
      if (live.find(at.job)) return void live.cancel(at.job);
      await find(id);
      await elsewhere?.cancel(at);
    },
    [Symbol.dispose]: () => elsewhere?.[Symbol.dispose](),
  };
}

const none: ReadonlyMap<string, AskedQuestion> = new Map();

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
