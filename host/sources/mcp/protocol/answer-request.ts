import type { Transport } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../../api/result.ts';
import { messageOf, PegboardError } from '../../../core/errors.ts';
import { askCaller } from './client-requests.ts';
import type { McpServerConfig } from '../config.ts';
import type { ElicitationTarget } from './elicitation.ts';
import { isObject, type RpcId, type RpcMessage } from '../transport/rpc-message.ts';

export interface RequestOptions {
  readonly server: string;
  readonly config: Pick<McpServerConfig, 'clientCapabilities'>;
  readonly send: Transport['send'];
  readonly askerOf: () => ElicitationTarget | undefined;
  /** Nobody is asked, because the request may belong to calls of different callers. */
  readonly onUnasked: (method: string) => void;
  readonly redact: <T>(value: T) => T;
}

/**
 * Answers a server's request to its caller; false when `message` is none. The SDK answers pings and refuses all other
 * requests, including those that the entry doesn't allow.
 */
export function answerRequest({ id, method, params }: RpcMessage, options: RequestOptions): boolean {
  const { server, config, send: sendMessage, askerOf, onUnasked, redact } = options;
  if (!isForCaller(method, config)) return false;
  const asker = askerOf();
  if (!asker) onUnasked(method);
  // A server that has ended needs no answer.
  const send = (response: object): void =>
    void sendMessage({ jsonrpc: '2.0', id: id as RpcId, ...response } as never).catch(() => {});
  askCaller(server, method, redact(isObject(params) ? params : {}), asker, config).then(
    (result) => send({ result }),
    (cause: unknown) => send({ error: toRpcError(cause) }),
  );
  return true;
}

function isForCaller(
  method: unknown,
  { clientCapabilities = [] }: RequestOptions['config'],
): method is string {
  switch (method) {
    case 'elicitation/create':
      return true;
    case 'sampling/createMessage':
      return clientCapabilities.includes('sampling');
    case 'roots/list':
      return clientCapabilities.includes('roots');
    default:
      return false;
  }
}

/** The answer of a client without the capability is the one that it would give itself. */
function toRpcError(cause: unknown): JsonObject {
  if (!(cause instanceof PegboardError)) {
    const code = isObject(cause) && Number.isSafeInteger(cause['code']) ? cause['code'] : -32603;
    const data = isObject(cause) ? cause['data'] : undefined;
    return { code, message: messageOf(cause), ...(data !== undefined && { data }) };
  }
  const said = isObject(cause.data) ? cause.data['code'] : undefined;
  const known = Number.isSafeInteger(said) ? said : undefined;
  return {
    code: known ?? (cause.code === 'PEG_CLIENT_CAPABILITY' ? -32601 : -32603),
    message: cause.message,
  };
}
