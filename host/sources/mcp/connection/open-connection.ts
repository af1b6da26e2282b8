import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { isTimeout } from '../../../core/async/deadline.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { McpTransport } from '../config.ts';
import { ConnectionLost } from '../transport/connection-lost.ts';
import { connect, type Connection, type ConnectionOptions } from './connection.ts';
import { toPrior, type Era } from '../transport/era.ts';
import { explainFailure, statusOf } from '../transport/explain-failure.ts';
import { openHttpLink, openSseLink, openStdioLink, type HttpEndpoint, type Link } from '../transport/link.ts';
import type { ResolvedServer } from '../resolve.ts';
import type { ServerAuth } from '../oauth/stored-auth.ts';
import { unavailable } from './supervisor.ts';

export interface OpenOptions extends ConnectionOptions {
  /** What was learned last time; connecting fails if it is out of date. */
  readonly era: Era | undefined;
  /** The transport that worked last time. */
  readonly transport: McpTransport | undefined;
  readonly auth: ServerAuth | undefined;
}

/** Throws PEG_SERVER_UNAVAILABLE, PEG_SERVER_ERROR, PEG_SERVER_UNAUTHORIZED, PEG_PROGRAM_NOT_FOUND or PEG_CONFIG. */
export async function openConnection(server: ResolvedServer, options: OpenOptions): Promise<Connection> {
  try {
    switch (server.kind) {
      case 'stdio':
        return await openStdio(server, options);
      case 'http':
        return await openHttp(server, options);
      case 'sse':
        return await openSse(server, options);
    }
  } catch (cause) {
    throw explain(cause, options);
  }
}

async function openStdio(
  server: ResolvedServer & { readonly kind: 'stdio' },
  options: OpenOptions,
): Promise<Connection> {
  const onGarbage = (line: string): void =>
    options.onOddity(
      'mcp-stdout-garbage',
      `prints lines to stdout that are not messages, for example: ${JSON.stringify(line)}`,
    );
  const open = (): Link => openStdioLink(server, { name: options.name, log: options.log, onGarbage });
  const prior = toPrior(options.era);
  const link = open();
  try {
    return await connect(link, prior, options);
  } catch (cause) {
    // Some old servers exit when they get a request before the old handshake.
    const endedWhenAsked = prior === undefined && link.ending() !== undefined && !options.signal.aborted;
    if (!endedWhenAsked) throw withEnding(cause, link, options);
  }
  const second = open();
  return connect(second, { kind: 'legacy' }, options).catch((cause: unknown) =>
    Promise.reject(withEnding(cause, second, options)),
  );
}

function withEnding(cause: unknown, link: Link, { name, signal, timeoutMs }: OpenOptions): Error {
  const isLate = (signal.aborted && isTimeout(signal.reason)) || isSdkTimeout(cause);
  const garbage = link.garbage?.();
  if (isLate && garbage !== undefined) return unavailable(name, `${noAnswer(timeoutMs)}: ${garbage}`, cause);
  const words = link.lastWords?.() ?? '';
  if (isLate && words !== '')
    return unavailable(name, `${noAnswer(timeoutMs)}; its last words: ${words}`, cause);
  const ending = link.ending();
  if (cause instanceof PegboardError || ending === undefined) return cause as Error;
  return new ConnectionLost(ending, 'unsent', cause);
}

async function openHttp(server: HttpEndpoint, options: OpenOptions): Promise<Connection> {
  const http = (): Promise<Connection> =>
    connect(openHttpLink(server, options.auth), toPrior(options.era), options);
  if (options.transport === 'sse') return openSse(server, options).catch(http);
  try {
    return await http();
  } catch (cause) {
    const status = statusOf(cause);
    if (status !== 404 && status !== 405 && status !== 400) throw cause;
    options.log.info(`Streamable HTTP was answered with ${status}; trying the older SSE transport`);
    return openSse(server, options).catch(() => Promise.reject(cause as Error));
  }
}

/** Only the older protocol uses it. */
const openSse = (server: HttpEndpoint, options: OpenOptions): Promise<Connection> =>
  connect(openSseLink(server, options.auth), { kind: 'legacy' }, options);

const noAnswer = (ms: number): string => `it did not answer within ${ms / 1000} s`;

const isSdkTimeout = (cause: unknown): boolean =>
  cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout;

function explain(cause: unknown, { name, signal, timeoutMs }: OpenOptions): Error {
  if (cause instanceof PegboardError) return cause;
  if (signal.aborted && isTimeout(signal.reason)) {
    return unavailable(name, noAnswer(timeoutMs), cause);
  }
  if (signal.aborted) return signal.reason as Error;
  const explained = explainFailure(name, cause);
  return explained instanceof ConnectionLost ? unavailable(name, explained.message, cause) : explained;
}
