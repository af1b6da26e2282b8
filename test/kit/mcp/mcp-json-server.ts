import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, readBody } from '../../../host/testing/http-server.ts';

export interface McpMessage {
  readonly id?: unknown;
  readonly method: string;
  readonly params: any;
}

export interface McpServerOptions {
  /** In place of "whoami". */
  readonly tools?: readonly object[];
  /** Issues a new session id at each handshake. */
  readonly sessions?: boolean;
}

/**
 * An MCP server of the older protocol over HTTP, without an SDK: `onCall` can answer tool calls in ways that no SDK
 * would.
 */
export async function listenAsMcp(
  onCall: (message: McpMessage, response: ServerResponse, request: IncomingMessage) => void,
  onGet: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(405).end(),
  { tools, sessions = false }: McpServerOptions = {},
): Promise<{ readonly url: string } & AsyncDisposable> {
  return listen((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return onGet(request, response);
      const message = JSON.parse(await readBody(request)) as McpMessage;
      if (message.id === undefined) return response.writeHead(202).end();
      if (message.method === 'tools/call') return onCall(message, response, request);
      const begins = sessions && message.method === 'initialize';
      const answer = message.method === 'tools/list' && tools ? { result: { tools } } : answerMcp(message);
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(begins && { 'mcp-session-id': randomUUID() }),
      });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }));
    })();
  });
}

/** Handshake, a list of one tool, and its result. */
export function answerMcp({ method, params }: McpMessage): object {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'by hand', version: '1' },
        },
      };
    case 'tools/list':
      return { result: { tools: [{ name: 'whoami', description: 'You', inputSchema: { type: 'object' } }] } };
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: 'you' }] } };
    default:
      return { error: { code: -32601, message: `there is no ${method}` } };
  }
}
