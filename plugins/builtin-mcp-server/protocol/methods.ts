import type { JsonObject } from 'pegboard';
import { keepWritten } from 'pegboard/kit';
import { withQuestions } from '../client/asking.ts';
import { callTool } from '../calls/call-tool.ts';
import { complete } from './completions.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Exchange } from './exchange.ts';
import { connectForClient, waitForFirst } from './connect-for-client.ts';

export type Method = (endpoint: Endpoint, params: JsonObject, exchange: Exchange) => Promise<JsonObject>;

/** Lists may not be cached: changes are announced, and clients that don't listen ask again. */
const cache = { ttlMs: 0, cacheScope: 'private' } as const;
const cached = (era: Exchange['era']): JsonObject => (era === 'modern' ? cache : {});

/** The methods of both eras, except those of the protocol itself: initialize, ping, discover, subscriptions. */
export const methods = {
  'tools/list': async (endpoint, _params, { era, client, from, signal }) => {
    await Promise.all([connectForClient(endpoint, from, signal), waitForFirst(endpoint, signal)]);
    return { tools: endpoint.toolsFor(client).current(), ...cached(era) };
  },
  'tools/call': callTool,
  'prompts/list': async ({ prompts }, _params, { era, from }) => ({
    prompts: await prompts.list(from),
    ...cached(era),
  }),
  'prompts/get': (endpoint, params, exchange) =>
    withQuestions(endpoint, 'prompts/get', params, exchange, (channel) =>
      endpoint.prompts.get(params['name'], params['arguments'], exchange.meta, channel),
    ),
  'resources/list': async ({ resources }, _params, { era, from }) => ({
    resources: await resources.list(from),
    ...cached(era),
  }),
  'resources/templates/list': async ({ resources }, _params, { era, from }) => ({
    resourceTemplates: await resources.listTemplates(from),
    ...cached(era),
  }),
  'resources/read': (endpoint, params, exchange) =>
    withQuestions(endpoint, 'resources/read', params, exchange, async (channel) => {
      const read = await endpoint.resources.read(params['uri'], exchange.meta, channel);
      return keepWritten(read, { ...read, ...cached(exchange.era) });
    }),
  'completion/complete': (endpoint, params, exchange) =>
    withQuestions(endpoint, 'completion/complete', params, exchange, (channel) =>
      complete(params, endpoint, channel),
    ),
} as const satisfies { readonly [method: string]: Method };

export type MethodName = keyof typeof methods;

/** Which capability a method belongs to; it exists only where that is offered. */
export const capabilityOf = {
  'tools/list': 'tools',
  'tools/call': 'tools',
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/read': 'resources',
  'completion/complete': 'completions',
} as const satisfies Record<MethodName, string>;
