import { failedResult, type JsonObject } from 'pegboard';
import type { PeerLogLevel } from 'pegboard/serving';
import { HostGone } from '../hosts/asked-hosts.ts';
import type { Correspondence, HostRequest } from '../hosts/correspondence.ts';
import type { Exchange } from '../protocol/exchange.ts';
import { RpcError, rpcCodes } from '../protocol/rpc-error.ts';
import { toCallToolResult } from './call-result.ts';
import { resumeCall, type RoundCall } from './round-call.ts';
import type { SuspendedAt, SuspendedCalls } from './suspended-calls.ts';

/**
 * Calls that wait on one host for an answer that its client has given to another one. The host that has the call decides
 * which answer is the first, whichever way it came, and it alone continues the call.
 */
export interface CallsElsewhere extends Disposable {
  /** The answer of the host at this address; undefined when the call has expired there. */
  resume(
    address: string,
    at: SuspendedAt,
    method: string,
    exchange: Exchange,
  ): Promise<JsonObject | undefined>;
}

type Event =
  | { readonly type: 'notify'; readonly method: string; readonly params: JsonObject }
  | {
      readonly type: 'log';
      readonly level: PeerLogLevel;
      readonly data: unknown;
      readonly logger: string | undefined;
    };

/** `settle`: the answer to the request that has just continued a call. */
export function createCallsElsewhere(
  hosts: Pick<Correspondence, 'answer' | 'ask'> & { readonly selection: string },
  suspended: SuspendedCalls,
  settle: (call: RoundCall, suspended: SuspendedCalls) => Promise<JsonObject>,
): CallsElsewhere {
  // What another path serves can't be continued here.
  const about = `resume ${hosts.selection}`;
  const answering = hosts.answer(about, async ({ id, round, inputResponses, meta }, request) => {
    const call = suspended.find({ id: String(id), round: round as number });
    if (!call) return { expired: true };
    resumeCall(call, toExchange(call, request, inputResponses, meta));
    return { answer: await settle(call, suspended) };
  });
  return {
    async resume(address, { id, round }, method, exchange) {
      const { signal, inputResponses, meta } = exchange;
      const onEvent = (event: unknown): void => passOn(event as Event, exchange);
      try {
        const params = { id, round, inputResponses, meta };
        const { answer } = await hosts.ask(address, about, params, { signal, onEvent });
        return answer as JsonObject | undefined;
      } catch (cause) {
        if (cause instanceof HostGone) return uncertain(method, cause);
        throw cause;
      }
    },
    [Symbol.dispose]: () => answering[Symbol.dispose](),
  };
}

/** The exchange of a client that is connected to another host. */
const toExchange = (
  { exchange }: RoundCall,
  { signal, event }: HostRequest,
  inputResponses: unknown,
  meta: unknown,
): Exchange => ({
  era: 'modern',
  from: exchange.from,
  client: exchange.client,
  signal,
  meta: meta as JsonObject | undefined,
  notify: (method, params) => event({ type: 'notify', method, params } satisfies Event),
  log: (level, data, logger) => event({ type: 'log', level, data, logger } satisfies Event),
  inputResponses: (inputResponses ?? {}) as JsonObject,
});

function passOn(event: Event, exchange: Exchange): void {
  if (event.type === 'notify') exchange.notify(event.method, event.params);
  else exchange.log(event.level, event.data, event.logger);
}

/** A tool's failure is for the model; other requests fail. */
function uncertain(method: string, { hasRead }: HostGone): JsonObject {
  const message = hasRead
    ? 'The host that ran this call ended after it was sent the answer. Whether the call has had its effect is not known, and it is not repeated: look at what it has done before you call it again.'
    : 'The host that ran this call ended before the answer reached it: the call was not continued. What it had done before it asked is not known. If it still has to be done, call it again; it asks again.';
  if (method !== 'tools/call') throw new RpcError(rpcCodes.internalError, message);
  const failure = { code: 'PEG_UNCERTAIN', stage: 'execute', message } as const;
  return toCallToolResult(failedResult(failure), 'modern', undefined);
}
