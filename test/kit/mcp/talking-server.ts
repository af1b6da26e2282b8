import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { listen } from '../../../host/testing/http-server.ts';

/**
 * An HTTP server of the older protocol whose tool "talk" logs, reports progress and asks a question, each with its
 * argument in the text.
 */
export async function startTalkingServer(): Promise<{ readonly url: string } & AsyncDisposable> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await createServer().connect(transport);
    return transport;
  };
  return await listen((request: IncomingMessage, response: ServerResponse) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? transports.get(id) : undefined;
    void (async () => (known ?? (await open())).handleRequest(request, response))();
  });
}

function createServer(): McpServer {
  const server = new McpServer({ name: 'talking', version: '1' }, { capabilities: { logging: {} } });
  server.registerTool(
    'talk',
    { description: 'Talks', inputSchema: { about: z.string() } },
    async ({ about }, { sendNotification, sendRequest, _meta }) => {
      await sendNotification({
        method: 'notifications/message',
        params: { level: 'error', data: `log ${about}` },
      });
      const progressToken = _meta?.progressToken;
      if (progressToken !== undefined) {
        const params = { progressToken, progress: 1, message: `progress ${about}` };
        await sendNotification({ method: 'notifications/progress', params });
      }
      const requestedSchema = {
        type: 'object' as const,
        properties: { name: { type: 'string' as const } },
      };
      const params = { mode: 'form' as const, message: `question ${about}`, requestedSchema };
      const answer = await sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);
      return { content: [{ type: 'text', text: `${about}: ${JSON.stringify(answer)}` }] };
    },
  );
  return server;
}
