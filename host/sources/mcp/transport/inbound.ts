import type { Transport } from '@modelcontextprotocol/client';
import { dropReservedMeta } from '../../../core/foreign/reserved-meta.ts';
import { handshake, type Leave } from '../protocol/fit.ts';
import { createFloodGuard } from './flood-guard.ts';
import { isNotification, isObject, isRequest, type RpcId, type RpcMessage } from './rpc-message.ts';

export interface InboundHandlers {
  /** Handles responses and progress of our own requests; true when it handled the message. */
  readonly response: (message: RpcMessage) => boolean;
  /** True when it answers the request itself. */
  readonly request: (message: RpcMessage, related: RpcId | undefined) => boolean;
  readonly notification: (method: string, params: RpcMessage['params'], related: RpcId | undefined) => void;
  readonly flood: (persistent: boolean) => void;
  /** A part of an answer to a handshake is left out. */
  readonly reportLeftOut: Leave;
}

/** What a transport may know about a message: the request on whose stream it arrived. */
export interface Arrival {
  readonly relatedRequestId?: RpcId;
}

/**
 * Filters messages between a transport and the SDK's client. The client only gets the handshake and notifications;
 * everything else is handled here, because the SDK can't cope with some of it (`result: null` hangs it, one odd tool
 * fails a whole list). This is also the border at which Pegboard's own keys are removed from `_meta`.
 */
export function interceptMessages(transport: Transport, handlers: InboundHandlers): void {
  const flood = createFloodGuard(handlers.flood);
  const take = (message: RpcMessage, related: RpcId | undefined): boolean => {
    if (isNotification(message)) {
      if (flood.isOver()) return true;
      if (handlers.response(message)) return true;
      handlers.notification(message.method!, isObject(message.params) ? message.params : undefined, related);
      return false;
    }
    return isRequest(message) ? handlers.request(message, related) : handlers.response(message);
  };

  let deliver: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    get: () => deliver,
    set(handler: Transport['onmessage']) {
      deliver =
        handler &&
        ((message, extra) => {
          dropReservedMeta(message);
          const related = (extra as Arrival | undefined)?.relatedRequestId;
          if (isObject(message) && !take(message as RpcMessage, related))
            handler(repaired(message, handlers.reportLeftOut), extra);
        });
    },
  });
}

/**
 * The SDK waits forever for an answer that is neither a result nor an error, and refuses a handshake because of one
 * member that isn't as MCP defines it.
 */
function repaired<T>(message: T, leave: Leave): T {
  const { id, method, result, error } = message as RpcMessage;
  if (id === undefined || method !== undefined || error !== undefined) return message;
  if (isObject(result)) return { ...message, result: handshake(result, '', leave) ?? result };
  return {
    jsonrpc: '2.0',
    id,
    error: { code: -32603, message: 'the server answered without a result' },
  } as T;
}
