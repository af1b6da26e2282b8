import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { pegboard, startPegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { fixture } from '../../../kit/mcp/mcp-source.ts';
import { callBody, modernHeaders, openSession, post } from '../../../kit/mcp/mcp-wire.ts';

const token = 'only-for-this-test';

test.each(['legacy', 'auto'] as const)(
  'icons, website, execution and the meta of progress reach a client in mode %s as they are',
  async (mode) => {
    await using home = await createHome({
      'pegboard.yaml': JSON.stringify({
        serve: { token, mode: 'direct' },
        mcpServers: { dressed: fixture('dressed') },
      }),
    });
    await pegboard(['mcp', 'list'], { home: home.path });
    await using serving = startPegboard(['serve', '--http', '0'], { home: home.path });
    const url = /serving (\S+)/.exec(await serving.waitFor(/serving \S+/))![1]!;
    const connect = async (path: string) => {
      const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
      const requestInit = { headers: { Authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url + path), { requestInit }));
      return client;
    };
    const client = await connect('/dressed');
    expect(client.getServerVersion()).toMatchObject({
      name: 'pegboard',
      title: 'Dressed up',
      websiteUrl: 'https://dressed.example',
      icons: [{ src: 'https://dressed.example/icon.png' }],
    });
    const steps: unknown[] = [];
    client.setNotificationHandler('notifications/progress', ({ params }) => void steps.push(params));
    const server = { port: Number(new URL(url).port), token };
    const era = mode === 'auto' ? 'modern' : 'legacy';
    const headers =
      era === 'modern' ? modernHeaders(undefined, 'tools/list') : await openSession(server, '/mcp/dressed');
    // SDKs hide what they don't know.
    const { text } = await post(server, callBody(undefined, {}, era), headers, '/mcp/dressed');
    const { tools } = (
      JSON.parse(text.replace(/^[^{]*/, '')) as { readonly result: { readonly tools: unknown } }
    ).result;
    // The protocol of 2026-07-28 has no `execution`.
    const execution = { taskSupport: 'forbidden', 'dressed/more': true };
    expect(tools).toEqual([expect.objectContaining(era === 'legacy' ? { execution } : {})]);
    await client.callTool({ name: 'dressed__step', arguments: {}, _meta: { progressToken: 'p' } });
    expect(steps).toEqual([{ progressToken: 'p', progress: 1, _meta: { 'dressed/step': 'first' } }]);
    await client.close();

    const all = await connect('');
    expect(all.getServerVersion()).not.toHaveProperty('icons');
    await all.close();
  },
);
