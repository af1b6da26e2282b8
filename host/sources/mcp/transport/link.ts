import { setTimeout as sleep } from 'node:timers/promises';
import {
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { withWritten } from '../../../core/documents/written-numbers.ts';
import type { McpTransport } from '../config.ts';
import { followingFetch } from './http/redirects.ts';
import { createRequestSender } from './http/request-sender.ts';
import type { ResolvedServer } from '../resolve.ts';
import type { ServerAuth } from '../oauth/stored-auth.ts';
import { createStdioTransport, type StdioOptions } from './stdio/stdio-transport.ts';

/** A transport to one server, before the handshake. */
export interface Link {
  readonly kind: McpTransport;
  /** The transport for the SDK's client. */
  readonly transport: Transport;
  /** For our own requests. */
  readonly send: Transport['send'];
  readonly pid: () => number | undefined;
  /** Why it ended, if known. */
  readonly ending: () => string | undefined;
  /** A description of what came that is no valid message; undefined when there was nothing. */
  readonly garbage?: () => string | undefined;
  /** The end of what a local server has written to stderr: "" when it wrote nothing. */
  readonly lastWords?: () => string;
  /** Ends the session if the protocol has one, then closes. */
  close(): Promise<void>;
}

/** Maximum time to end a session at the server. */
const leaveMs = 1_000;

export function openStdioLink(
  server: ResolvedServer & { readonly kind: 'stdio' },
  options: StdioOptions,
): Link {
  const transport = createStdioTransport(server, options);
  return {
    kind: 'stdio',
    transport,
    send: (message) => transport.send(message),
    pid: () => transport.pid,
    ending: () => transport.ending,
    garbage: () => transport.garbage,
    lastWords: () => transport.lastWords,
    close: () => transport.close(),
  };
}

export type HttpEndpoint = ResolvedServer & { readonly kind: 'http' | 'sse' };

export function openHttpLink(server: HttpEndpoint, auth: ServerAuth | undefined): Link {
  const { url, headers } = server;
  const following = followingFetch(auth?.fetch ?? fetch);
  let listening: Promise<boolean> | undefined;
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    ...(auth && { authProvider: auth }),
    fetch(target, init) {
      const response = following(target, init);
      if (init?.method === 'GET')
        listening ??= response.then(
          ({ ok }) => ok,
          () => false,
        );
      return response;
    },
  });
  endWithStreams(transport);
  const isListening = async (): Promise<boolean> => (await listening) ?? false;
  const sender = createRequestSender({ transport, server, auth, isListening });
  return {
    kind: 'http',
    transport,
    send: sender.send,
    pid: () => undefined,
    ending: () => undefined,
    async close() {
      sender[Symbol.dispose]();
      if (transport.sessionId !== undefined) {
        const leaving = transport.terminateSession().catch(() => {});
        await Promise.race([leaving, sleep(leaveMs, undefined, { ref: false })]);
      }
      await transport.close();
    },
  };
}

/** The SDK keeps waiting for an answer whose stream has ended without it. */
function endWithStreams(transport: StreamableHTTPClientTransport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const isHandled = !('method' in message && 'id' in message) || options?.onRequestStreamEnd;
    if (isHandled) return send(message, options);
    const onRequestStreamEnd = (): void => {
      const error = { code: -32603, message: 'the server ended its answer before it was complete' };
      const { onmessage } = transport as { onmessage?: Transport['onmessage'] };
      onmessage?.({ jsonrpc: '2.0', id: message.id, error });
    };
    return send(message, { ...options, onRequestStreamEnd });
  };
}

export function openSseLink({ url, headers }: HttpEndpoint, auth: ServerAuth | undefined): Link {
  const following = followingFetch(auth?.fetch ?? fetch);
  const transport = new SSEClientTransport(url, {
    requestInit: { headers },
    ...(auth && { authProvider: auth }),
    async fetch(target, init) {
      const response = await following(target, init);
      const { ok, status } = response;
      // The SDK's transport reports the status only in a message. It repeats a request after a 401 and a login.
      if (ok || init?.method !== 'POST' || (status === 401 && auth)) return response;
      const text = await response.text();
      // The session has ended; a new stream starts another.
      if (status === 404) void transport.close();
      throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${status}: ${text}`, {
        status,
        text,
      });
    },
  });
  return {
    kind: 'sse',
    transport,
    send: (message) => transport.send(withWritten(message)),
    pid: () => undefined,
    ending: () => undefined,
    close: () => transport.close(),
  };
}
