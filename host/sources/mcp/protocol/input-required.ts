import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../api/result.ts';
import { PegboardError } from '../../../core/errors.ts';
import { askCaller } from './client-requests.ts';
import type { McpServerConfig } from '../config.ts';
import type { ElicitationTarget } from './elicitation.ts';
import { isObject } from '../transport/rpc-message.ts';

/** Maximum rounds of questions of one request. */
const maxRounds = 10;
/** Delay in milliseconds when a server only asks to repeat the request. */
const comeAgainMs = 250;

export interface InputOptions {
  readonly server: string;
  readonly config: Pick<McpServerConfig, 'clientCapabilities'>;
  readonly redact: <T>(value: T) => T;
}

/**
 * Questions of the 2026-07-28 protocol: a server answers "input required", and the request is sent again with the
 * answers. `send` sends one round; resolves with the first result that is complete.
 */
export async function completeWithInput(
  { server, config, redact }: InputOptions,
  params: JsonObject,
  asker: ElicitationTarget | undefined,
  send: (params: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  let result = await send(params);
  for (let round = 0; result['resultType'] === 'input_required'; round++) {
    if (round === maxRounds) {
      throw new PegboardError(
        'PEG_SERVER_ERROR',
        `MCP server "${server}" was still asking for input after ${maxRounds} answers, so the call was ended.`,
      );
    }
    const requests = Object.entries(isObject(result['inputRequests']) ? result['inputRequests'] : {});
    const { requestState } = result;
    if (requests.length === 0) await sleep(comeAgainMs, undefined, asker && { signal: asker.signal });
    const inputResponses: Record<string, JsonObject> = {};
    // One after the other: a person can't answer two questions at once.
    for (const [key, request] of requests) {
      const { method, params: asked } = isObject(request) ? request : {};
      const given = redact(isObject(asked) ? asked : {});
      inputResponses[key] = await askCaller(server, method, given, asker, config);
    }
    result = await send({
      ...params,
      ...(requests.length > 0 && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    });
  }
  return result;
}
