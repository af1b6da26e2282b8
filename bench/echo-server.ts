/**
 * The upstream of the benchmarks: an MCP server on the SDK with one tool that echoes its text. Uses stdin and stdout;
 * with `--http` a free local port, whose URL it prints.
 */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localhostHostValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const inputSchema = fromJsonSchema<{ text: string }>({
  type: 'object',
  properties: { text: { type: 'string', description: 'What to answer with' } },
  required: ['text'],
});

function createEcho(): McpServer {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  const annotations = { readOnlyHint: true };
  server.registerTool(
    'echo',
    { description: 'Answers with its text', inputSchema, annotations },
    ({ text }) => ({
      content: [{ type: 'text', text }],
    }),
  );
  return server;
}

if (process.argv.includes('--http')) {
  const admits = localhostHostValidation();
  const handle = toNodeHandler(createMcpHandler(createEcho)) as RequestListener;
  const http = createServer((request, response) => {
    if (admits(request, response)) handle(request, response);
  });
  http.listen(0, '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
  );
} else {
  serveStdio(createEcho);
}
