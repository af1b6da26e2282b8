import type { JsonObject, ToolResult } from 'pegboard';
import { taskOutcome } from './call-result.ts';
import type { Endpoint } from '../endpoint.ts';
import { isObject, type Exchange } from '../protocol/exchange.ts';
import { RpcError, rpcCodes, toRpcError } from '../protocol/rpc-error.ts';
import { retentionMs, pollEveryMs, tasksExtension, type Tasks } from './tasks.ts';
import type { ServedTask } from './served-task.ts';

/** Whether the client supports tasks of the 2026-07-28 protocol. */
export function supportsTasks({ client }: Exchange): boolean {
  const { extensions } = client.capabilities;
  return isObject(extensions) && isObject(extensions[tasksExtension]);
}

export const tasksRequired = (message: string): RpcError =>
  new RpcError(rpcCodes.missingClientCapability, message, {
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  });

/** The answer to a call that became a task. */
export const toCreated = (task: ServedTask): JsonObject => ({ resultType: 'task', ...common(task) });

const common = ({ id, status, statusMessage, createdAt, lastUpdatedAt }: ServedTask): JsonObject => ({
  taskId: id,
  status,
  ...(statusMessage !== undefined && { statusMessage }),
  createdAt,
  lastUpdatedAt,
  ttlMs: retentionMs,
  pollIntervalMs: pollEveryMs,
});

type TaskMethod = (endpoint: Endpoint, params: JsonObject, exchange: Exchange) => Promise<JsonObject>;

const forThoseWhoKnow =
  (work: (tasks: Tasks, params: JsonObject, exchange: Exchange) => Promise<JsonObject>): TaskMethod =>
  async ({ tasks }, params, exchange) => {
    if (!tasks || !supportsTasks(exchange))
      throw tasksRequired('This needs a client that declares the tasks extension.');
    return work(tasks, params, exchange);
  };

/** Task methods of the 2026-07-28 protocol. */
export const modernTaskMethods = {
  'tasks/get': forThoseWhoKnow(async (tasks, { taskId }) => {
    const task = await tasks.find(taskId);
    return { ...common(task), ...detailsOf(task) };
  }),
  'tasks/update': forThoseWhoKnow(async (tasks, { taskId }, { inputResponses }) => {
    await tasks.find(taskId);
    await tasks.answer(taskId, inputResponses);
    return {};
  }),
  'tasks/cancel': forThoseWhoKnow(async (tasks, { taskId }) => {
    await tasks.cancel(taskId);
    return {};
  }),
} as const satisfies { readonly [method: string]: TaskMethod };

function detailsOf({ status, statusMessage, questions, result }: ServedTask): JsonObject {
  switch (status) {
    case 'working':
    case 'cancelled':
      return {};
    case 'input_required': {
      const asked = [...questions].map(([name, { method, params }]) => [name, { method, params }]);
      return { inputRequests: Object.fromEntries(asked) as JsonObject };
    }
    case 'completed':
      return { result: { resultType: 'complete', ...taskOutcome(result!, 'modern') } };
    case 'failed':
      return { error: errorOf(result, statusMessage) };
  }
}

export function errorOf(result: ToolResult | undefined, otherwise = 'The task failed.'): JsonObject {
  try {
    if (result) taskOutcome(result, 'modern');
  } catch (cause) {
    const { code, message, data } = toRpcError(cause);
    return { code, message, ...(data !== undefined && { data }) };
  }
  return { code: rpcCodes.internalError, message: result?.error?.message ?? otherwise };
}
