/** Messages of clients to an MCP server, for fuzzers to mutate. */
export const initialize = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

export const clientMessages: readonly object[] = [
  initialize,
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: 'x' } },
  { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'test.echo', arguments: { text: 'hi' } } },
  { jsonrpc: '2.0', id: 4, method: 'resources/read', params: { uri: 'file:///x' } },
  { jsonrpc: '2.0', id: 5, method: 'server/discover', params: { _meta: {} } },
  {
    jsonrpc: '2.0',
    id: 6,
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'x' } },
  },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 3, progress: 1 } },
  { jsonrpc: '2.0', id: 3, result: {} },
  { jsonrpc: '2.0', id: 3, error: { code: -1, message: 'x' } },
];
