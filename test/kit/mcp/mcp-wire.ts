import type { JsonObject } from '../../../host/api/result.ts';
import type { HttpServer } from '../../../plugins/builtin-mcp-server/http/http.ts';
import { sendRaw, type RawAnswer } from '../servers/raw-http.ts';

type Headers = { readonly [name: string]: string };

/** The body of a `tools/call` with id 1; without a name, of a `tools/list`. */
export function callBody(
  name: string | undefined,
  args: JsonObject,
  era: 'legacy' | 'modern',
  meta: JsonObject = {},
): string {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: name === undefined ? 'tools/list' : 'tools/call',
    params: {
      ...(name !== undefined && { name, arguments: args }),
      _meta: { ...(era === 'modern' && envelope), ...meta },
    },
  });
}

export function modernHeaders(name: string | undefined, method = 'tools/call'): Headers {
  return {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
  };
}

export function post(
  { port, token }: Pick<HttpServer, 'port' | 'token'>,
  body: string,
  headers: Headers = {},
  path = '/mcp',
): Promise<RawAnswer> {
  return sendRaw(port, {
    path,
    body,
    headers: Object.entries({
      Host: `localhost:${port}`,
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    }).flat(),
  });
}

/** Initializes a legacy session; returns the headers of its requests. */
export async function openSession(
  server: Pick<HttpServer, 'port' | 'token'>,
  path = '/mcp',
): Promise<Headers> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const { headers } = await post(server, body, {}, path);
  return { 'Mcp-Session-Id': headers['mcp-session-id'] as string, 'MCP-Protocol-Version': '2025-11-25' };
}
