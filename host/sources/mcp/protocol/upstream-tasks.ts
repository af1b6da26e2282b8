import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../api/result.ts';
import { keepWritten } from '../../../core/documents/written-numbers.ts';
import { PegboardError } from '../../../core/errors.ts';
import { askCaller } from './client-requests.ts';
import { afterFirstAnswer } from '../transport/connection-lost.ts';
import type { Connection } from '../connection/connection.ts';
import type { ElicitationTarget } from './elicitation.ts';
import type { InputOptions } from './input-required.ts';
import type { ListedTool } from '../catalog/listed-tool.ts';
import { isObject } from '../transport/rpc-message.ts';
import type { RpcOptions } from '../transport/rpc.ts';

/** Of the 2026-07-28 protocol; before it tasks were part of the protocol itself. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';
const relatedKey = 'io.modelcontextprotocol/related-task';

/** Milliseconds between two looks at a task, whatever its server wishes. */
const minPollMs = 50;
const maxPollMs = 10_000;
const defaultPollMs = 1_000;

type Request = (method: string, params: JsonObject, options: RpcOptions) => Promise<JsonObject>;

/** Waits for a task of the 2026-07-28 protocol: its result, or the error that failed it. What it asks goes to the caller. */
export async function finishTask(
  { server, config, redact }: InputOptions,
  created: JsonObject,
  asker: ElicitationTarget | undefined,
  request: Request,
): Promise<JsonObject> {
  const { taskId } = created;
  const signal = asker?.signal;
  const options = { signal, asker };
  const answered = new Set<string>();
  try {
    for (let task = created; ; task = await request('tasks/get', { taskId }, options)) {
      switch (task['status']) {
        case 'completed':
          if (isObject(task['result'])) return task['result'];
          break;
        case 'failed':
          throw failed(server, task['error']);
        case 'cancelled':
          throw failed(server, { code: -32603, message: 'the server cancelled the task' });
        case 'input_required': {
          const requests = Object.entries(isObject(task['inputRequests']) ? task['inputRequests'] : {});
          for (const [key, asked] of requests) {
            if (answered.has(key)) continue;
            answered.add(key);
            const { method, params } = isObject(asked) ? asked : {};
            const given = redact(isObject(params) ? params : {});
            const inputResponses = { [key]: await askCaller(server, method, given, asker, config) };
            await request('tasks/update', { taskId, inputResponses }, options);
          }
        }
      }
      if (task !== created || task['status'] === 'working')
        await sleep(pollMsOf(task), undefined, signal && { signal });
    }
  } catch (cause) {
    // The result is not needed any more; a failure to say so changes nothing.
    if (signal?.aborted || !(cause instanceof PegboardError))
      request('tasks/cancel', { taskId }, {}).catch(() => {});
    throw signal?.aborted ? (signal.reason as Error) : cause;
  }
}

function pollMsOf({ pollIntervalMs }: JsonObject): number {
  const wanted = typeof pollIntervalMs === 'number' ? pollIntervalMs : defaultPollMs;
  return Math.min(Math.max(wanted, minPollMs), maxPollMs);
}

function failed(server: string, error: unknown): PegboardError {
  const { code = -32603, message = 'the task failed', data } = isObject(error) ? error : {};
  return new PegboardError('PEG_SERVER_ERROR', `MCP server "${server}" failed a task: ${String(message)}`, {
    data: { code, message: String(message), ...(data !== undefined && { data }) },
  });
}

/** A tool of the 2025-11-25 protocol that is called as a task, and not otherwise. */
export function wantsTask({ execution }: ListedTool, { era, capabilities }: Connection): boolean {
  if (era.kind !== 'legacy' || execution?.['taskSupport'] !== 'required') return false;
  const { tasks } = capabilities;
  const requests = isObject(tasks) && isObject(tasks['requests']) ? tasks['requests'] : {};
  return isObject(requests['tools']) && isObject(requests['tools']['call']);
}

/** Calls such a tool and waits for what it gives. */
export async function callAsTask(
  connection: Connection,
  params: JsonObject,
  options: RpcOptions & { readonly timeoutMs: number },
): Promise<JsonObject> {
  const { timeoutMs, ...rest } = options;
  const created = await connection.request('tools/call', { ...params, task: { ttl: timeoutMs } }, rest);
  const { task } = created;
  // A server may have been done at once.
  if (!isObject(task) || typeof task['taskId'] !== 'string') return created;
  const { taskId } = task;
  try {
    const { asker, signal } = options;
    return withoutRelated(await connection.request('tasks/result', { taskId }, { asker, signal }));
  } catch (cause) {
    if (options.signal?.aborted) connection.request('tasks/cancel', { taskId }).catch(() => {});
    throw afterFirstAnswer(cause);
  }
}

/** The task has ended without a result. */
function withoutRelated(result: JsonObject): JsonObject {
  const { _meta: meta, ...rest } = result;
  if (!isObject(meta) || !(relatedKey in meta)) return result;
  const { [relatedKey]: _, ...others } = meta;
  const kept = Object.keys(others).length > 0 ? { ...rest, _meta: keepWritten(meta, others) } : rest;
  return keepWritten(result, kept);
}
