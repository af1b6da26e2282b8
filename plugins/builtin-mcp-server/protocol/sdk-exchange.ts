import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject, Logger } from 'pegboard';
import type { McpClient, PeerMethod } from 'pegboard/serving';
import type { ClientQuestions } from '../client/client-questions.ts';
import { isObject, metaKeys, type Era, type Exchange } from './exchange.ts';

/** A request as the SDK hands it to its handlers. */
export function toExchange(
  face: McpServer,
  { mcpReq }: ServerContext,
  {
    era,
    clientOf,
    log: hostLog,
    questions,
  }: {
    readonly era: Era;
    readonly clientOf: (id: string | number) => McpClient;
    readonly log: Logger;
    readonly questions?: ClientQuestions | undefined;
  },
): Exchange {
  const { signal, inputResponses, _meta: meta } = mcpReq;
  const envelope = mcpReq.envelope as JsonObject | undefined;
  const lost = (cause: unknown): void => hostLog.debug('a notification did not reach its client', { cause });
  const common = {
    era,
    from: clientOf(mcpReq.id),
    signal,
    meta,
    notify: (method: string, params: JsonObject) => void mcpReq.notify({ method, params }).catch(lost),
    log: (level: never, data: unknown, logger?: string) => void mcpReq.log(level, data, logger).catch(lost),
  };
  if (era === 'legacy' && questions) {
    return {
      ...common,
      client: toClient(face.server.getClientVersion(), face.server.getClientCapabilities()),
      request: (method: PeerMethod, params: JsonObject, signal: AbortSignal) =>
        questions.ask(method, params, { signal, about: mcpReq.id }),
    };
  }
  return {
    ...common,
    client: toClient(envelope?.[metaKeys.clientInfo], envelope?.[metaKeys.clientCapabilities]),
    inputResponses,
    requestState: mcpReq.requestState(),
  };
}

export function toClient(info: unknown, capabilities: unknown): Exchange['client'] {
  const name = isObject(info) && typeof info['name'] === 'string' ? info['name'] : 'unknown';
  return { name: name.slice(0, 100), capabilities: isObject(capabilities) ? capabilities : {} };
}
