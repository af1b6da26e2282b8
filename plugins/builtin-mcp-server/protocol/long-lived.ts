import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { McpServer, Transport } from '@modelcontextprotocol/server';
import type { JsonObject } from 'pegboard';
import { messageOf } from 'pegboard/kit';
import type { McpClient } from 'pegboard/serving';
import { createClientQuestions } from '../client/client-questions.ts';
import { openClientSession, type OpenSession } from '../client/client-session.ts';
import { createDirectCalls, type DirectCalls } from '../http/direct-calls.ts';
import type { Endpoint, EndpointChange } from '../endpoint.ts';
import type { Era } from './exchange.ts';
import type { Method } from './methods.ts';
import { withClientHeaders } from '../http/own-headers.ts';
import { invalidParams, toRpcError } from './rpc-error.ts';
import { toClient } from './sdk-exchange.ts';
import { createServer } from './server.ts';
import type { ToolList } from '../calls/tool-list.ts';

export interface LongLivedOptions {
  readonly era: Era;
  /** Of the session; absent: a new one. */
  readonly id?: string;
  /** Of the request that brought the message of this id. */
  readonly headersOf?: (id: string | number) => IncomingHttpHeaders;
  /** To the client. */
  readonly send: Transport['send'];
}

export interface LongLivedServer {
  readonly face: McpServer;
  readonly session: OpenSession;
  /** What of the client's messages doesn't need the SDK; absent where all do. */
  readonly calls: DirectCalls | undefined;
}

const none = {};

/** A server for one connected client: a legacy session, or stdio. It sends change notifications until it closes. */
export function createLongLivedServer(endpoint: Endpoint, options: LongLivedOptions): LongLivedServer {
  const { era, id = randomUUID(), headersOf = () => none, send } = options;
  const subscriptions = new Map<string, AsyncDisposable>();
  const offersResources = 'resources' in endpoint.capabilities(era);
  const more = era === 'legacy' && offersResources ? subscriptionMethods(subscriptions) : {};
  const clientOf = (request: string | number): McpClient =>
    withClientHeaders({ session }, headersOf(request));
  const questions = createClientQuestions(send);
  const face = createServer(endpoint, { era, clientOf, more, questions });
  const session = openClientSession(face, id, era, questions);
  const { server } = face;
  const calls =
    era === 'legacy' ? createDirectCalls(endpoint, { server, send, clientOf, questions }) : undefined;
  server.setNotificationHandler('notifications/roots/list_changed', () => session.rootsChanged());
  const { log } = endpoint.host;
  const ownList = (): ToolList => endpoint.toolsFor(toClient(server.getClientVersion(), undefined));
  const listening = endpoint.onChange((news) => {
    if (news.about === 'tools' ? !news.lists.includes(ownList()) : isOthers(news, session)) return;
    // On modern stdio the SDK passes on only what the client listens for.
    if (news.about === 'resource' && era === 'legacy' && !subscriptions.has(news.uri)) return;
    server
      .notification(toNotification(news) as never)
      .catch((cause: unknown) => log.debug(`a notification for an MCP client was lost: ${messageOf(cause)}`));
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
  server.onclose = () => {
    listening[Symbol.dispose]();
    calls?.[Symbol.dispose]();
    for (const subscription of subscriptions.values()) void subscription[Symbol.asyncDispose]();
  };
  return { face, session, calls };
}

const isOthers = ({ session }: Exclude<EndpointChange, { about: 'tools' }>, { id }: OpenSession): boolean =>
  session !== undefined && session !== id;

function toNotification(news: EndpointChange): {
  readonly method: string;
  readonly params?: JsonObject;
} {
  return news.about === 'resource'
    ? { method: 'notifications/resources/updated', params: { uri: news.uri } }
    : { method: `notifications/${news.about}/list_changed` };
}

const fail = (cause: unknown): never => {
  throw toRpcError(cause);
};

function subscriptionMethods(subscriptions: Map<string, AsyncDisposable>): {
  readonly [method: string]: Method;
} {
  return {
    'resources/subscribe': async ({ resources }, { uri }, { from }) => {
      if (typeof uri !== 'string') throw invalidParams('resources/subscribe needs a uri.');
      if (!subscriptions.has(uri)) subscriptions.set(uri, await resources.subscribe(uri, from).catch(fail));
      return {};
    },
    'resources/unsubscribe': async (_endpoint, { uri }) => {
      const subscription = subscriptions.get(String(uri));
      subscriptions.delete(String(uri));
      await subscription?.[Symbol.asyncDispose]();
      return {};
    },
  };
}
