import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { messageOf } from '../../core/errors.ts';
import { answerPlainCall, toPlainCall } from './plain-call.ts';
import type { Endpoint, News } from './endpoint.ts';
import { isObject } from './exchange.ts';
import { createServer } from './server.ts';

/** Modern clients of one endpoint: no sessions, every request stands for itself, news go to those who listen. */
export interface Modern extends AsyncDisposable {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
}

type NodeRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

export function createModern(endpoint: Endpoint): Modern {
  const { log } = endpoint.host;
  const onerror = (cause: Error): void => log.debug(`a modern MCP request was refused: ${messageOf(cause)}`);
  const handler = createMcpHandler(() => createServer(endpoint, 'modern'), { legacy: 'reject', onerror });
  const serve = toNodeHandler(handler, { onerror });
  const listening = endpoint.onNews((news) => publish(handler.notify, news));
  return {
    async handle(request, response, body) {
      const call = toPlainCall(request, body, endpoint);
      if (call) return answerPlainCall(call, response, endpoint);
      if (isObject(body) && body['method'] === 'subscriptions/listen')
        await subscribe(endpoint, body, response);
      return serve(request as NodeRequest, response, body);
    },
    async [Symbol.asyncDispose]() {
      listening[Symbol.dispose]();
      await handler.close();
    },
  };
}

function publish(notify: ReturnType<typeof createMcpHandler>['notify'], news: News): void {
  switch (news.about) {
    case 'tools':
      return notify.toolsChanged();
    case 'prompts':
      return notify.promptsChanged();
    case 'resources':
      return notify.resourcesChanged();
    case 'resource':
      return notify.resourceUpdated(news.uri);
  }
}

/** As long as somebody listens for a resource, its server is asked to report changes. */
async function subscribe(endpoint: Endpoint, body: unknown, response: ServerResponse): Promise<void> {
  for (const uri of subscribedUris(body)) {
    try {
      const subscription = await endpoint.resources.subscribe(uri);
      response.once('close', () => void subscription[Symbol.asyncDispose]());
    } catch (cause) {
      endpoint.host.log.info(`nobody reports changes of ${uri}: ${messageOf(cause)}`);
    }
  }
}

/** The resources that a `subscriptions/listen` asks for. */
export function subscribedUris(message: unknown): readonly string[] {
  const params = isObject(message) ? message['params'] : undefined;
  const filter = isObject(params) ? params['notifications'] : undefined;
  const uris = isObject(filter) ? filter['resourceSubscriptions'] : undefined;
  return Array.isArray(uris)
    ? [...new Set(uris)].filter((uri) => typeof uri === 'string').slice(0, mostSubscriptions)
    : [];
}

const mostSubscriptions = 100;
