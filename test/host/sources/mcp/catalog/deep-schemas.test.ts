import { expect, test } from 'vitest';
import { listen, readBody } from '../../../../../host/testing/http-server.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { answerMcp, type McpMessage } from '../../../../kit/mcp/mcp-json-server.ts';
import { caller, createMcpLab } from '../../../../kit/mcp/mcp-source.ts';

test.each([1_500, 20_000])(
  'a tool whose schema is %i levels deep is left out by its name, and its neighbour stays',
  async (levels) => {
    // A number in another notation than JavaScript's makes every level be checked.
    const deep = `${'{"type":"object","properties":{"a":'.repeat(levels)}{"minimum":1.0}${'}}'.repeat(levels)}`;
    const tools = `[{"name":"whoami","inputSchema":{"type":"object"}},{"name":"deep","inputSchema":${deep}}]`;
    await using server = await listen((request, response) => {
      void (async () => {
        if (request.method !== 'POST') return response.writeHead(405).end();
        const message = JSON.parse(await readBody(request)) as McpMessage;
        if (message.id === undefined) return response.writeHead(202).end();
        const answer =
          message.method === 'tools/list'
            ? `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"tools":${tools}}}`
            : JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answerMcp(message) });
        return response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
      })();
    });
    await using lab = await createMcpLab();
    const source = lab.open('deep', { url: server.url });
    expect(textOf(await source.callTool('whoami', {}, caller()))).toBe('you');
    await source[Symbol.asyncDispose]!();

    const message =
      'MCP server "deep": tool "deep" is left out: its definition is nested deeper than 64 levels';
    for (const from of [source, lab.open('deep', { url: server.url })]) {
      const { tools: listed, diagnostics } = await from.list();
      expect(listed.map(({ name }) => name)).toEqual(['whoami']);
      expect(diagnostics).toMatchObject([{ code: 'mcp-malformed-tool', message }]);
    }
  },
);
