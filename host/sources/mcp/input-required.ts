import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../api/result.ts';
import { PegboardError } from '../../core/errors.ts';
import { elicit, type Asker } from './elicitation.ts';
import { isObject } from './rpc-message.ts';

/** Rounds of questions that one request may take. */
const mostRounds = 10;
/** A server that asks for nothing but to come again is given this long, in milliseconds. */
const comeAgainMs = 250;

/**
 * The 2026-07-28 way of asking: a server answers "input required", and the request is sent again with the answers.
 * `send` sends one round; resolves with the first result that is complete.
 */
export async function completeWithInput(
  server: string,
  params: JsonObject,
  asker: Asker | undefined,
  send: (params: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  let result = await send(params);
  for (let round = 0; result['resultType'] === 'input_required'; round++) {
    if (round === mostRounds) {
      throw new PegboardError(
        'PEG_SERVER_ERROR',
        `MCP server "${server}" still asked after ${mostRounds} rounds.`,
      );
    }
    const requests = Object.entries(isObject(result['inputRequests']) ? result['inputRequests'] : {});
    const { requestState } = result;
    if (requests.length === 0) await sleep(comeAgainMs, undefined, asker && { signal: asker.signal });
    const inputResponses: Record<string, JsonObject> = {};
    // One after the other: a person can't answer two questions at once.
    for (const [key, request] of requests) inputResponses[key] = await answer(server, request, asker);
    result = await send({
      ...params,
      ...(requests.length > 0 && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    });
  }
  return result;
}

async function answer(server: string, request: unknown, asker: Asker | undefined): Promise<JsonObject> {
  const method = isObject(request) ? request['method'] : undefined;
  if (method === 'elicitation/create') {
    const params = (request as JsonObject)['params'];
    return elicit(server, isObject(params) ? params : undefined, asker);
  }
  throw new PegboardError(
    'PEG_SERVER_ERROR',
    `MCP server "${server}" asked for ${String(method)}, which Pegboard does not offer.`,
  );
}
