import type { JsonObject } from '../../../api/result.ts';
import { afterFirstAnswer } from '../transport/connection-lost.ts';
import type { Rpc, RpcOptions } from '../transport/rpc.ts';
import { completeWithInput, type InputOptions } from './input-required.ts';
import { finishTask } from './upstream-tasks.ts';

/** Sends a request until its result is complete: answers the server's questions, and waits for a task to finish. */
export async function completeRequest(
  rpc: Rpc,
  input: InputOptions,
  method: string,
  params: JsonObject,
  options: RpcOptions,
): Promise<JsonObject> {
  let isAnswered = false;
  /** Of all requests of this exchange, only the first can be known not to have been received. */
  const request: Rpc['request'] = async (...one) => {
    try {
      const result = await rpc.request(...one);
      isAnswered = true;
      return result;
    } catch (cause) {
      throw isAnswered ? afterFirstAnswer(cause) : cause;
    }
  };
  const round = (one: JsonObject): Promise<JsonObject> => request(method, one, options);
  const result = await completeWithInput(input, params, options.asker, round);
  return result['resultType'] === 'task' ? finishTask(input, result, options.asker, request) : result;
}
