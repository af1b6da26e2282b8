import { setTimeout as sleep } from 'node:timers/promises';
import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { withWritten } from '../../core/documents/written-numbers.ts';
import { createCallSender } from './call-sender.ts';
import type { McpTransport } from './config.ts';
import type { ResolvedServer } from './resolve.ts';
import type { ServerAuth } from './stored-auth.ts';
import { createStdioTransport, type StdioOptions } from './stdio-transport.ts';

/** One way to one server, not yet introduced. */
export interface Link {
  readonly kind: McpTransport;
  /** What the SDK's client is connected to. */
  readonly transport: Transport;
  /** For our own requests. */
  readonly send: Transport['send'];
  readonly pid: () => number | undefined;
  /** Why it ended, where that is known. */
  readonly ending: () => string | undefined;
  /** Takes leave where that is the custom, then closes. */
  close(): Promise<void>;
}

/** How long a server may take to hear that a session is over. */
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
    close: () => transport.close(),
  };
}

export type HttpServer = ResolvedServer & { readonly kind: 'http' | 'sse' };

export function openHttpLink(server: HttpServer, auth: ServerAuth | undefined): Link {
  const { url, headers } = server;
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    ...(auth && { authProvider: auth, fetch: auth.fetch }),
  });
  const sender = createCallSender(transport, server, auth);
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

export function openSseLink({ url, headers }: HttpServer, auth: ServerAuth | undefined): Link {
  const transport = new SSEClientTransport(url, {
    requestInit: { headers },
    ...(auth && { authProvider: auth, fetch: auth.fetch }),
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
