import type { JsonObject } from '../../../api/result.ts';
import { keepWritten } from '../../../core/documents/written-numbers.ts';
import type { ListedTool } from '../catalog/listed-tool.ts';
import type { Connection } from '../connection/connection.ts';
import { afterFirstAnswer } from '../transport/connection-lost.ts';
import { isObject } from '../transport/rpc-message.ts';
import type { RpcOptions } from '../transport/rpc.ts';

const relatedKey = 'io.modelcontextprotocol/related-task';

/** A tool of the 2025-11-25 protocol that can only be called as a task. */
export function wantsTask({ execution }: ListedTool, { era, capabilities }: Connection): boolean {
  if (era.kind !== 'legacy' || execution?.['taskSupport'] !== 'required') return false;
  const { tasks } = capabilities;
  const requests = isObject(tasks) && isObject(tasks['requests']) ? tasks['requests'] : {};
  return isObject(requests['tools']) && isObject(requests['tools']['call']);
}

/** Calls such a tool and waits for its result. */
export async function callAsTask(
  connection: Connection,
  params: JsonObject,
  options: RpcOptions & { readonly timeoutMs: number },
): Promise<JsonObject> {
  const { timeoutMs, ...rest } = options;
  const created = await connection.request('tools/call', { ...params, task: { ttl: timeoutMs } }, rest);
  const { task } = created;
  // A server may have finished immediately.
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
