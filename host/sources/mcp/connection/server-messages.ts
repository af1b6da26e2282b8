import { answerRequest } from '../protocol/answer-request.ts';
import type { ElicitationTarget } from '../protocol/elicitation.ts';
import { passLogMessage } from '../protocol/server-log.ts';
import { interceptMessages } from '../transport/inbound.ts';
import type { Link } from '../transport/link.ts';
import type { Rpc } from '../transport/rpc.ts';
import type { Callers } from './callers.ts';
import type { ConnectionOptions } from './connection.ts';

export interface ServerMessagesOptions extends Pick<
  ConnectionOptions,
  'name' | 'config' | 'log' | 'redact' | 'owner' | 'onNotification' | 'onOddity'
> {
  readonly rpc: Rpc;
  readonly callers: Callers;
  /** The client that the connection is for, as somebody to ask. */
  readonly ownerAsAsker: () => ElicitationTarget | undefined;
}

/** Takes what a server sends by itself: results, questions, log messages and notifications. */
export function handleServerMessages(link: Link, options: ServerMessagesOptions): void {
  const { name, config, log, redact, owner, rpc, callers, ownerAsAsker } = options;
  interceptMessages(link.transport, {
    response: (message) => rpc.receive(message.error === undefined ? message : redact(message)),
    request: (message, related) =>
      answerRequest(message, {
        server: name,
        config,
        send: link.send,
        askerOf: () => callers.askerFor(related) ?? ownerAsAsker(),
        redact,
        log,
      }),
    notification: (method, unredacted, related) => {
      const params = redact(unredacted);
      if (method === 'notifications/message' && params)
        passLogMessage(params, log, callers.listenerFor(related) ?? owner());
      options.onNotification(method, params);
    },
    flood: (persistent) => {
      options.onOddity('mcp-flood', 'sends more than 1,000 notifications a second; the rest is dropped');
      if (persistent) void link.close();
    },
  });
}
