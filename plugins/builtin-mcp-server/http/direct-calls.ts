import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import type { JsonObject } from 'pegboard';
import { type McpClient, type PeerLogLevel, peerLogLevels } from 'pegboard/serving';
import { callTool } from '../calls/call-tool.ts';
import type { ClientQuestions } from '../client/client-questions.ts';
import type { Endpoint } from '../endpoint.ts';
import { isObject, isWanted, type Exchange } from '../protocol/exchange.ts';
import { toErrorMember } from '../protocol/rpc-error.ts';
import { isPlainMeta } from '../protocol/rpc-message.ts';
import { toClient } from '../protocol/sdk-exchange.ts';

type RequestId = string | number;

/**
 * An ordinary `tools/call` of a legacy client goes directly to its tool: going through the SDK would double the cost.
 * Anything else is left to the SDK, which has the right error for every fault.
 */
export interface DirectCalls extends Disposable {
  /** True when it takes the message; else it is for the SDK. */
  take(message: JSONRPCMessage): boolean;
}

export interface DirectCallsOptions {
  /** The SDK's server for the same client. */
  readonly server: Server;
  readonly send: Transport['send'];
  readonly clientOf: (id: RequestId) => McpClient;
  readonly questions: ClientQuestions;
}

/** A call that has not been answered yet. */
interface DirectCall {
  readonly id: RequestId;
  readonly params: JsonObject;
}

export function createDirectCalls(
  endpoint: Endpoint,
  { server, send, clientOf, questions }: DirectCallsOptions,
): DirectCalls {
  const { log } = endpoint.host;
  const running = new Map<RequestId, AbortController>();
  let wantedLevel: PeerLogLevel | undefined;

  const lost = (cause: unknown): void => log.debug('a message did not reach its MCP client', { cause });
  const sendAbout = (id: RequestId, method: string, params: JsonObject): void =>
    void send({ jsonrpc: '2.0', method, params }, { relatedRequestId: id }).catch(lost);

  const exchangeOf = ({ id, params }: DirectCall, signal: AbortSignal): Exchange => ({
    era: 'legacy',
    from: clientOf(id),
    client: toClient(server.getClientVersion(), server.getClientCapabilities()),
    signal,
    meta: params['_meta'] as JsonObject | undefined,
    notify: (method, said) => sendAbout(id, method, said),
    log(level, data, logger) {
      if (wantedLevel !== undefined && !isWanted(level, wantedLevel)) return;
      sendAbout(id, 'notifications/message', { level, data, ...(logger !== undefined && { logger }) });
    },
    request: (method, said, until) => questions.ask(method, said, { signal: until, about: id }),
  });

  const answer = async (call: DirectCall): Promise<void> => {
    const { id } = call;
    const controller = new AbortController();
    running.set(id, controller);
    let outcome: { readonly result: JsonObject } | { readonly error: JsonObject };
    try {
      outcome = { result: await callTool(endpoint, call.params, exchangeOf(call, controller.signal)) };
    } catch (cause) {
      outcome = { error: toErrorMember(cause, log) };
    }
    if (running.get(id) === controller) running.delete(id);
    // A cancelled call gets no answer.
    if (!controller.signal.aborted)
      await send({ jsonrpc: '2.0', id, ...outcome } as JSONRPCMessage).catch(lost);
  };

  return {
    take(message) {
      if (!('method' in message)) return questions.take(message);
      const { method, params } = message as { readonly method: string; readonly params?: JsonObject };
      switch (method) {
        case 'tools/call': {
          const call = server.getClientVersion() && toDirectCall(message);
          if (!call || running.has(call.id)) return false;
          void answer(call);
          return true;
        }
        case 'notifications/cancelled':
          running.get(params?.['requestId'] as RequestId)?.abort(params?.['reason']);
          return false;
        case 'logging/setLevel':
          if ((peerLogLevels as readonly unknown[]).includes(params?.['level']))
            wantedLevel = params!['level'] as PeerLogLevel;
          return false;
        default:
          return false;
      }
    },
    [Symbol.dispose]() {
      questions[Symbol.dispose]();
      for (const controller of running.values()) controller.abort(new Error('the client disconnected'));
    },
  };
}

/** A `task` and a repeated request have meanings of their own. */
const plainParams: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

function toDirectCall({
  id,
  params,
}: {
  readonly id?: unknown;
  readonly params?: unknown;
}): DirectCall | undefined {
  if (id === undefined || !isObject(params) || typeof params['name'] !== 'string') return undefined;
  const isPlain = Object.keys(params).every((name) => plainParams.has(name)) && isPlainMeta(params['_meta']);
  return isPlain ? { id: id as RequestId, params } : undefined;
}
