import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../api/result.ts';
import { PegboardError } from '../../../core/errors.ts';
import { askCaller } from './client-requests.ts';
import type { ElicitationTarget } from './elicitation.ts';
import type { InputOptions } from './input-required.ts';
import { isObject } from '../transport/rpc-message.ts';
import type { RpcOptions } from '../transport/rpc.ts';

/** The extension of the 2026-07-28 protocol; before it, tasks were part of the protocol itself. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Limits in milliseconds of the polling interval that a server requests. */
const minPollMs = 50;
const maxPollMs = 10_000;
const defaultPollMs = 1_000;

type Request = (method: string, params: JsonObject, options: RpcOptions) => Promise<JsonObject>;

/**
 * Waits for a task of the 2026-07-28 protocol, and returns its result or throws its error. Questions of the task go to
 * the caller.
 */
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
    // The result is no longer needed; a failure to cancel doesn't matter.
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
