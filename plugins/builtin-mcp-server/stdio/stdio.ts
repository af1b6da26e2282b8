import type { Readable, Writable } from 'node:stream';
import { serveStdio as serveSdkStdio } from '@modelcontextprotocol/server/stdio';
import type { McpServer } from '@modelcontextprotocol/server';
import { messageOf } from 'pegboard/kit';
import type { OpenSession } from '../client/client-session.ts';
import type { DirectCalls } from '../http/direct-calls.ts';
import { openEndpoint } from '../endpoint.ts';
import type { Era } from '../protocol/exchange.ts';
import { createListenedResources } from '../protocol/listened-resources.ts';
import { createLongLivedServer } from '../protocol/long-lived.ts';
import type { ServedHost } from '../served-host.ts';
import { forgottenTexts } from '../http/kept-texts.ts';
import { openSigner } from '../http/signer.ts';
import { createStdioTransport } from './stdio-transport.ts';
import { refusedVersion } from '../http/unsupported-version.ts';

export interface StdioOptions {
  readonly preset?: string;
  readonly input: Readable;
  readonly output: Writable;
}

export interface StdioServer {
  /** Resolves when the client has gone, or after `close`. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves the one client on `input` and `output`, whichever era it speaks. Throws PEG_USAGE for an unknown preset. */
export async function serveStdio(host: ServedHost, options: StdioOptions): Promise<StdioServer> {
  const endpoint = openEndpoint(
    host,
    { preset: options.preset, path: undefined },
    await openSigner(forgottenTexts),
  );
  const transport = createStdioTransport(options.input, options.output);
  let session: OpenSession | undefined;
  let calls: DirectCalls | undefined;
  const open = (era: Era): McpServer => {
    const opened = createLongLivedServer(endpoint, {
      era,
      send: (message, options) => transport.send(message, options),
    });
    ({ session, calls } = opened);
    return opened.face;
  };
  const server = serveSdkStdio(({ era }) => open(era), {
    transport,
    onerror: (cause) => host.log.warn(`on stdin: ${messageOf(cause)}`),
  });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const listened = createListenedResources(endpoint);
  const { onclose, onmessage } = transport;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
  transport.onmessage = (message) => {
    if (calls?.take(message)) return;
    const refusal = calls ? undefined : refusedVersion(message);
    // The client may have gone.
    if (refusal) return void transport.send(refusal).catch(() => {});
    onmessage?.(message);
    if (!('method' in message)) return;
    if (message.method === 'notifications/cancelled') listened.end(message.params?.['requestId']);
    if (message.method === 'subscriptions/listen' && 'id' in message)
      void listened.begin(message.id, message, { headers: {}, session });
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
  transport.onclose = () => {
    onclose?.();
    listened[Symbol.dispose]();
    session?.end();
    endpoint[Symbol.dispose]();
    resolve();
  };
  return {
    closed,
    close: async () => {
      await server.close();
      await closed;
    },
  };
}
