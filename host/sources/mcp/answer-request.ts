import type { Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../api/log.ts';
import { messageOf } from '../../core/errors.ts';
import { elicit, type Asker } from './elicitation.ts';
import { isObject, type RpcId, type RpcMessage } from './rpc-message.ts';

/** Answers a server's question to a person; true when `message` is one. The SDK answers pings and refuses the rest. */
export function answerRequest(
  server: string,
  { id, method, params }: RpcMessage,
  transport: Transport,
  askerOf: () => Asker | undefined,
  log: Logger,
): boolean {
  if (method !== 'elicitation/create') return false;
  const asker = askerOf();
  if (!asker) log.warn('a question of the server was declined: it may belong to calls of different callers');
  // A server that is gone needs no answer.
  const send = (response: object): void =>
    void transport.send({ jsonrpc: '2.0', id: id as RpcId, ...response } as never).catch(() => {});
  elicit(server, isObject(params) ? params : undefined, asker).then(
    (result) => send({ result }),
    (cause: unknown) => send({ error: { code: -32603, message: messageOf(cause) } }),
  );
  return true;
}
