import type { ReportLeftOut } from '../protocol/fit.ts';
import { answerRequest } from '../protocol/answer-request.ts';
import type { ElicitationTarget } from '../protocol/elicitation.ts';
import { interceptMessages } from '../transport/inbound.ts';
import type { Link } from '../transport/link.ts';
import type { Rpc } from '../transport/rpc.ts';
import type { McpServerConfig } from '../config.ts';
import type { Callers } from './callers.ts';
import type { Logger } from '../../../api/log.ts';
import { peerLogLevels, type ClientSession, type Peer, type PeerLogLevel } from '../../../api/mcp/peer.ts';
import type { JsonObject } from '../../../api/result.ts';
import { visibleText } from '../../../core/foreign/visible-text.ts';
import { toJson } from '../../../core/documents/written-numbers.ts';

const maxMessageLength = 2_000;

/** What unsolicited messages of a server need from its connection. */
export interface ServerMessageHandling {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly log: Logger;
  /** Removes known secrets: servers repeat what they were started with. */
  readonly redact: <T>(value: T) => T;
  /** The client that the connection belongs to; undefined when there is none or are several. */
  readonly owner: () => ClientSession | undefined;
  readonly onNotification: (method: string, params: JsonObject | undefined) => void;
  /** Adds a warning about the server. */
  readonly onOddity: (code: string, message: string) => void;
  readonly reportLeftOut: ReportLeftOut;
}

export interface ServerMessagesOptions extends ServerMessageHandling {
  readonly rpc: Rpc;
  readonly callers: Callers;
  /** The client that the connection belongs to, as somebody to ask. */
  readonly defaultAsker: () => ElicitationTarget | undefined;
}

/** Handles everything that a server sends: results, questions, log messages and notifications. */
export function handleServerMessages(link: Link, options: ServerMessagesOptions): void {
  const { name, config, log, redact, owner, rpc, callers, defaultAsker } = options;
  interceptMessages(link.transport, {
    response: (message) => rpc.receive(message.error === undefined ? message : redact(message)),
    request: (message, related) =>
      answerRequest(message, {
        server: name,
        config,
        send: link.send,
        askerOf: () => callers.askerFor(related) ?? defaultAsker(),
        onUnasked(method) {
          callers.unseenQuestion();
          options.onOddity(
            'mcp-unseen-question',
            `sent ${method} while calls of several sessions ran, without saying which one it is about, so it was declined and nobody has seen it; with "scope: session" in its entry, each session has a connection of its own`,
          );
        },
        redact,
      }),
    notification: (method, unredacted, related) => {
      const params = redact(unredacted);
      if (method === 'notifications/message' && params)
        passLogMessage(params, log, callers.listenerFor(related) ?? owner());
      options.onNotification(method, params);
    },
    reportLeftOut: (path) => options.reportLeftOut('its handshake', path),
    flood: (persistent) => {
      options.onOddity('mcp-flood', 'sends more than 1,000 notifications a second; the rest is dropped');
      if (persistent) void link.close();
    },
  });
}

/** Writes a server's log message into our log, and passes it on to the client whose call is running. */
function passLogMessage(params: JsonObject, log: Logger, peer: Pick<Peer, 'log'> | undefined): void {
  const level = peerLogLevels.find((known) => known === params['level']) ?? 'info';
  const { data, logger } = params;
  const text = typeof data === 'string' ? data : (toJson(data) ?? '');
  log[ourLevel(level)](visibleText(text).slice(0, maxMessageLength), {
    ...(typeof logger === 'string' && { logger }),
  });
  peer?.log(level, data, typeof logger === 'string' ? logger : undefined);
}

function ourLevel(level: PeerLogLevel): 'debug' | 'info' | 'warn' | 'error' {
  switch (level) {
    case 'debug':
      return 'debug';
    case 'info':
    case 'notice':
      return 'info';
    case 'warning':
      return 'warn';
    default:
      return 'error';
  }
}
