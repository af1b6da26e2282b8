import { expect, test } from 'vitest';
import type { SourceKind } from '../../../../host/api/source.ts';
import { overHttp } from '../../../kit/mcp/mcp-clients.ts';
import { servedHost } from '../../../kit/mcp/served-host.ts';
import { echoTool, memorySource } from '../../../kit/source.ts';

const outputSchema = { type: 'object', properties: { lines: { type: 'integer' } } };
const content = [{ type: 'text' as const, text: 'go on with offset 2000' }];
const tool = echoTool({ outputSchema, execute: () => ({ content, structured: { lines: 2000 } }) });
const kinds: readonly SourceKind[] = ['builtin', 'plugin'];

test.for(Object.entries(overHttp))(
  'a client with %s gets the texts of built-in tools alone, and the structure of others too',
  async ([_how, connect]) => {
    const found = kinds.map(async (kind) => {
      await using client = await connect(await servedHost(memorySource([tool], { kind })));
      const [listed] = await client.listTools();
      return [listed!['outputSchema'], await client.call('echo', {})];
    });
    expect(await Promise.all(found)).toMatchObject([
      [undefined, { content }],
      [outputSchema, { content, structuredContent: { lines: 2000 } }],
    ]);
    expect((await found[0])![1]).not.toHaveProperty('structuredContent');
  },
);
