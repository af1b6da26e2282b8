import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeMcpRequestHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { JsonObject } from 'pegboard';
import { messageOf } from 'pegboard/kit';
import { sendJson } from 'pegboard/serving';
import { modernClient } from '../client/client-session.ts';
import { answerPlainCall, toPlainCall } from '../http/plain-call.ts';
import type { Endpoint, EndpointChange } from '../endpoint.ts';
import { isObject, metaKeys } from './exchange.ts';
import { createListenedResources } from './listened-resources.ts';
import { createServer, type ServerOptions } from './server.ts';
import { refusedVersion } from '../http/unsupported-version.ts';

/** Modern clients of one endpoint: no sessions, each request is independent, notifications go to those who listen. */
export interface Modern extends AsyncDisposable {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
}

type NodeRequest = Parameters<NodeMcpRequestHandler>[0];

export function createModern(endpoint: Endpoint): Modern {
  const { log } = endpoint.host;
  const onerror = (cause: Error): void => log.debug(`a modern MCP request was refused: ${messageOf(cause)}`);
  const handler = createMcpHandler(({ requestInfo }) => createServer(endpoint, serverOptions(requestInfo)), {
    legacy: 'reject',
    onerror,
  });
  let serving: Promise<NodeMcpRequestHandler> | undefined;
  /** Loaded with the first request that needs it: it brings the web's Request and Response, 14 MB. */
  const openServing = (): Promise<NodeMcpRequestHandler> =>
    (serving ??= import('@modelcontextprotocol/node').then(({ toNodeHandler }) =>
      toNodeHandler(handler, { onerror }),
    ));
  const listened = createListenedResources(endpoint);
  const listening = endpoint.onChange((news) => publish(handler.notify, news));
  return {
    async handle(request, response, body) {
      const call = toPlainCall(request, body, endpoint);
      if (call) return answerPlainCall(call, response, endpoint);
      const refusal = refusedVersion(body);
      if (refusal && isSameVersion(request, body)) return sendJson(response, 400, refusal);
      if (isObject(body) && body['method'] === 'subscriptions/listen') {
        response.once('close', () => listened.end(response));
        void listened.begin(response, body, modernClient(request.headers));
      }
      const serve = await openServing();
      return serve(request as NodeRequest, response, body);
    },
    async [Symbol.asyncDispose]() {
      listening[Symbol.dispose]();
      listened[Symbol.dispose]();
      await handler.close();
    },
  };
}

/** The SDK has an error of its own for a header that says something else. */
function isSameVersion({ headers }: IncomingMessage, body: unknown): boolean {
  const { params } = body as { readonly params: { readonly _meta: JsonObject } };
  return headers['mcp-protocol-version'] === params._meta[metaKeys.protocolVersion];
}

function serverOptions(request: Request | undefined): ServerOptions {
  const from = modernClient(Object.fromEntries(request?.headers ?? []));
  return { era: 'modern', clientOf: () => from };
}

function publish(notify: ReturnType<typeof createMcpHandler>['notify'], news: EndpointChange): void {
  switch (news.about) {
    case 'tools':
      return notify.toolsChanged();
    case 'prompts':
      return notify.promptsChanged();
    case 'resources':
      return notify.resourcesChanged();
    case 'resource':
      // What belongs to one client alone has no stream of its own here.
      if (news.session !== undefined) return undefined;
      return notify.resourceUpdated(news.uri);
  }
}
