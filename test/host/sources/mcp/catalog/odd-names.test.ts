import { expect, test } from 'vitest';
import type { McpServerConfig } from '../../../../../host/sources/mcp/config.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { listenAsMcp } from '../../../../kit/mcp/mcp-json-server.ts';
import { caller, createMcpLab } from '../../../../kit/mcp/mcp-source.ts';

const inputSchema = { type: 'object' };

/** A server whose tools return the name by which they were called. */
async function offering(names: readonly string[], config: Partial<McpServerConfig> = {}) {
  const tools = names.map((name) => ({ name, description: 'Says who it is', inputSchema }));
  const server = await listenAsMcp(
    ({ id, params }, response) => {
      const content = [{ type: 'text', text: JSON.stringify(params.name) }];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content } }));
    },
    undefined,
    { tools },
  );
  const lab = await createMcpLab();
  const open = () => lab.open('odd', { url: server.url, ...config });
  const source = open();
  await source.connect();
  return {
    open,
    source,
    list: async () => (await source.list()).tools,
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const odd = [
  'get weather',
  'get  weather',
  '☀️',
  '🌧',
  'größe',
  'gro\u0308ße',
  '取得天气',
  'a\nb',
  '\u200B',
  '\uD800',
  "it's $(x) `y`",
  'x'.repeat(129),
];

test('a tool of any name is offered under a legal one, and called by its own, byte for byte', async () => {
  await using at = await offering(odd);
  const tools = await at.list();
  expect(tools).toHaveLength(odd.length);
  for (const [index, { name }] of tools.entries()) {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,49}$/);
    expect(textOf(await at.source.callTool(name, {}, caller()))).toBe(JSON.stringify(odd[index]));
    // A manifest uses the server's name for it.
    expect(textOf(await at.source.callTool(odd[index]!, {}, caller()))).toBe(JSON.stringify(odd[index]));
  }
  expect(new Set(tools.map(({ name }) => name)).size).toBe(odd.length);
  expect(tools[0]).toMatchObject({
    name: expect.stringMatching(/^get_weather_/) as string,
    title: 'get weather',
  });
  expect((await at.source.list()).diagnostics).not.toContainEqual(
    expect.objectContaining({ code: 'mcp-malformed-tool' }),
  );
});

test('the name stays the same, whatever else its server lists', async () => {
  await using alone = await offering(['get weather']);
  const { name } = (await alone.list())[0]!;
  await using among = await offering(['fine', '☀️', 'get weather']);
  expect((await among.list()).map((tool) => tool.name)).toContain(name);

  // Another tool that really has this name keeps it, wherever it is in the list.
  await using taken = await offering(['get weather', name]);
  const [made, own] = await taken.list();
  expect(own!.name).toBe(name);
  expect(made!.name).not.toBe(name);
  expect(textOf(await taken.source.callTool(own!.name, {}, caller()))).toBe(JSON.stringify(name));
  expect(textOf(await taken.source.callTool(made!.name, {}, caller()))).toBe('"get weather"');
});

test('allow, block and confirm know both names', async () => {
  const names = ['get weather', 'drop all', 'drop one', 'fine'];
  await using at = await offering(names, {
    block: ['drop all'],
    confirm: ['get *'],
    allow: ['*e*', 'drop*'],
  });
  const tools = await at.list();
  expect(tools.map(({ title, name, confirm }) => [title ?? name, confirm])).toEqual([
    ['get weather', true],
    ['drop one', false],
    ['fine', false],
  ]);
});

const inherited = [
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

test('names that every object in JavaScript has are names like others', async () => {
  await using at = await offering(inherited);
  expect((await at.list()).map(({ name }) => name)).toEqual(inherited);
  for (const name of inherited)
    expect(textOf(await at.source.callTool(name, {}, caller()))).toBe(JSON.stringify(name));
  await at.source[Symbol.asyncDispose]!();
  expect((await at.open().list()).tools.map(({ name }) => name)).toEqual(inherited);
});

test('an invalid name is reported as such', async () => {
  await using at = await offering(['', 'y'.repeat(2_000), 'fine']);
  const { tools, diagnostics } = await at.source.list();
  expect(tools.map(({ name }) => name)).toEqual(['fine']);
  expect(diagnostics!.map(({ message }) => message)).toEqual([
    expect.stringContaining('tool "" is left out: it has no name'),
    expect.stringContaining('is left out: its name has 2000 characters, and may have 1024'),
  ]);
  await expect(at.source.callTool('y'.repeat(2_000), {}, caller())).rejects.toThrow('its name has 2000');
});

test.each(inherited)('a schema that has %s among its keywords or parameters costs no tool', async (key) => {
  const schemas = [
    `{"type":"object","${key}":{"a":1}}`,
    `{"type":"object","properties":{"${key}":{"type":"string"}},"required":["${key}"]}`,
    `{"type":"object","properties":{"a":{"${key}":7}}}`,
  ];
  const tools = schemas.map((text, index) => ({
    name: `t${index}`,
    inputSchema: JSON.parse(text) as object,
  }));
  await using server = await listenAsMcp(() => {}, undefined, { tools });
  await using lab = await createMcpLab();
  const source = lab.open('keys', { url: server.url });
  await source.connect();
  const { tools: listed, diagnostics } = await source.list();
  expect(listed.map(({ name }) => name)).toEqual(['t0', 't1', 't2']);
  expect(diagnostics).toEqual([]);
});
