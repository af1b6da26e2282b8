import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import type { CallTrace } from '../../../host/api/trace.ts';
import { textOf } from '../../../host/tools/result.ts';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { fixture } from '../../kit/mcp/mcp-source.ts';

const data = '{"orders":[{"id":9007,"total":"12.50 EUR","paid":false}],"next":"page-2"}';
const names = ['summary', 'same', 'words', 'many', 'picture'];

test('a model gets the structured content that a text does not say, once, and within the limit', async () => {
  const calls = names.map((name) => ({ name: `shop__${name}`, arguments: {} }));
  const inner = { name: 'execute_tool', arguments: { name: 'shop.summary', params: {} } };
  await using agent = await openAgentHome([{ toolCalls: [...calls, inner] }, { text: 'done' }], {
    files: {
      '.mcp.json': JSON.stringify({ mcpServers: { shop: { ...fixture('summaries'), trust: true } } }),
    },
  });
  await agent.host.servers.get('shop')!.connect();
  await agent.say('What did I order?');
  const told = agent.model.requests[1]!.messages.filter(({ role }) => role === 'tool');
  const [summary, same, words, many, picture, executed] = told.map(({ content }) => content as string);
  for (const text of [summary, executed]) expect(text).toBe(`Found 1 order.\n\n${data}`);
  expect(same).toBe(JSON.stringify(JSON.parse(data), null, 2));
  expect(words).toBe('It is 21.5 degrees in Graz.');
  expect(picture).toBe(data);
  expect(many).toMatch(
    /^5000 rows\n\n\{"rows":\["row 0",[\s\S]+characters left out; read_artifact[\s\S]+"row 4999"\]\}$/,
  );
  expect(many!.length).toBeLessThan(31_000);
});

test('a model reads the texts of built-in tools alone, and programs their structure', async () => {
  const image = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const calls = [
    { name: 'read', arguments: { path: 'dot.png' } },
    { name: 'glob', arguments: { pattern: '*.png' } },
    { name: 'execute_tool', arguments: { name: 'filesystem.glob', params: { pattern: '*.png' } } },
  ];
  await using agent = await openAgentHome([{ toolCalls: calls }, { text: 'done' }]);
  await agent.home.write('dot.png', image);
  const structures: unknown[] = [];
  const note = (message: unknown): void => void structures.push((message as CallTrace).result?.structured);
  subscribe('tracing:pegboard:call:asyncEnd', note);
  await agent.say('Look');
  unsubscribe('tracing:pegboard:call:asyncEnd', note);
  const told = agent.model.requests[1]!.messages.filter(({ role }) => role === 'tool');
  expect(told.slice(1).map(({ content }) => content)).toEqual(['dot.png', 'dot.png']);
  expect(JSON.stringify(told[0])).not.toContain('mimeType');
  expect(structures).toEqual(
    expect.arrayContaining([
      { path: `${agent.home.path}/dot.png`, size: image.length, mimeType: 'image/png' },
      { files: [{ path: 'dot.png' }] },
    ]),
  );
});

test('outside of a conversation a result stays as it came', async () => {
  await using agent = await openAgentHome([], {
    files: {
      '.mcp.json': JSON.stringify({ mcpServers: { shop: { ...fixture('summaries'), trust: true } } }),
    },
  });
  await agent.host.servers.get('shop')!.connect();
  const result = await agent.host.dispatch({
    name: 'shop.summary',
    args: {},
    scope: agent.host.scopeFor(undefined),
    caller: 'test',
  });
  expect(textOf(result)).toBe('Found 1 order.');
});
