import { expect, test } from 'vitest';
import { listen, readBody } from '../../../../../host/testing/http-server.ts';
import { createHome } from '../../../../kit/homes/home.ts';
import { answerMcp, type McpMessage } from '../../../../kit/mcp/mcp-json-server.ts';
import { homeWithAnswers, serveKnown, serveRaw, type RawClient } from '../../../../kit/mcp/verbatim.ts';

const tool = (name: string, properties: object, more: object = {}): object => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties, ...more },
});
const tools = [
  tool('update', { archived: { type: 'boolean', default: true }, id: { type: 'string' } }),
  tool('nested', {
    block: { type: 'object', properties: { archived: { type: 'boolean', default: true } } },
    rows: { type: 'array', items: { type: 'object', properties: { n: { type: 'number', default: 1 } } } },
    either: { anyOf: [{ type: 'object', properties: { a: { type: 'string', default: 'x' } } }] },
  }),
  tool('typed', { limit: { type: 'integer', default: null }, cursor: { type: 'string', default: 7 } }),
  tool('listed', { tags: { type: 'array', items: { type: 'string' }, default: ['a'] } }),
  tool('strict', { id: { type: 'string' }, note: { type: 'string' } }, { required: ['id'] }),
  tool('any', {}),
];
const answers = { 'tools/list': JSON.stringify({ tools }) };

/** The arguments as they reached the server, unparsed. */
async function sent(client: RawClient, name: string, args: string): Promise<string> {
  const line = await client.ask('tools/call', `{"name":"${name}","arguments":${args}}`);
  const { result } = JSON.parse(line) as { result: { content: [{ text: string }]; isError?: true } };
  expect(result, line).not.toHaveProperty('isError');
  const received = result.content[0].text;
  const found = /"arguments":(.*?)(?:,"_meta":\{[^{}]*\})?\}\}$/s.exec(received);
  return found![1]!;
}

test('no default of its schema is put into the arguments of a server', async () => {
  await using home = await homeWithAnswers(answers);
  await using client = await serveRaw(home);
  for (const [name, args] of [
    ['up__update', '{"id":"1"}'],
    ['up__update', '{}'],
    ['up__nested', '{"block":{},"rows":[{},{"n":2}],"either":{}}'],
    ['up__listed', '{}'],
    ['up__typed', '{}'],
    ['up__typed', '{"limit":3}'],
  ] as const)
    expect(await sent(client, name, args)).toBe(args);
});

test('arguments are still checked, and say what does not fit', async () => {
  await using home = await homeWithAnswers(answers);
  await using client = await serveRaw(home);
  const { result } = await client.request('tools/call', { name: 'up__typed', arguments: { limit: 'x' } });
  expect(result).toMatchObject({ isError: true });
  expect(result.content[0].text).toContain('"limit" must be of type integer');
});

test('null for an optional parameter is sent, and left to the server; for a required one it does not fit', async () => {
  await using home = await homeWithAnswers(answers);
  await using client = await serveRaw(home);
  expect(await sent(client, 'up__strict', '{"id":"1","note":null}')).toBe('{"id":"1","note":null}');
  const { result } = await client.request('tools/call', { name: 'up__strict', arguments: { id: null } });
  expect(result.content[0].text).toContain('"id" must be of type string');
});

const written = [
  '{"a":1.0,"b":12345678901234567890,"c":-0,"d":1e3,"e":0.10,"f":1E+400,"g":[1.50,{"h":100.00}]}',
  '{"z":1,"a":2,"m":{"y":1,"b":2}}',
  '{"text":"ä\\u0000 😀 \\ud800 \\u2028\\u0085","empty":"","null":null}',
  '{"__proto__":{"x":1},"constructor":{"prototype":1.0},"toString":null}',
  '{"deep":[[[[1.0]]],[]],"flag":false}',
];

test.each([[[]], [['--mode', 'compact']], [['--mode', 'discovery']]])(
  'arguments reach a server as they were written, with serve %j',
  async (mode) => {
    await using home = await homeWithAnswers(answers);
    await (await serveRaw(home))[Symbol.asyncDispose]();
    await using client = await serveKnown(home, mode);
    for (const args of written) {
      expect(await sent(client, 'up__any', args)).toBe(args);
      if (!mode.includes('discovery')) continue;
      const inner = `{"name":"up.any","params":${args}}`;
      expect(await sent(client, 'execute_destructive_tool', inner)).toBe(args);
    }
  },
);

test('arguments reach a server over HTTP as they were written', async () => {
  const received: string[] = [];
  await using server = await listen((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const body = await readBody(request);
      const message = JSON.parse(body) as McpMessage;
      if (message.id === undefined) return response.writeHead(202).end();
      if (message.method === 'tools/call') received.push(body);
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answerMcp(message) }));
    })();
  });
  await using home = await createHome({ 'pegboard.yaml': `mcpServers: { up: { url: "${server.url}" } }` });
  await using client = await serveRaw(home);
  const args = '{"a":1.0,"b":[12345678901234567890,-0]}';
  await client.ask('tools/call', `{"name":"up__whoami","arguments":${args}}`);
  expect(received).toEqual([expect.stringContaining(`"arguments":${args}`)]);
});

const many = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `p${at}`,
    { type: 'string', description: `What ${at} means, at length. ${'It is long. '.repeat(12)}` },
  ]),
);
const picky = [
  tool('search', {
    limit: { type: 'integer', maximum: 50 },
    exact: { type: 'boolean' },
    ids: { type: 'array', items: { type: 'string' } },
    filter: { type: 'object', properties: { from: { type: 'integer' } } },
    size: { enum: [1, 2] },
    either: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    address: { type: 'string', format: 'uri' },
    anything: {},
  }),
  tool(
    'large',
    { ...many, limit: { type: 'integer', description: 'At most 50' }, deep: { $ref: '#/$defs/Deep' } },
    {
      $defs: {
        Deep: { type: 'object', properties: { n: { type: 'integer' } } },
        Unused: { const: 'unused' },
      },
    },
  ),
];

test('what the schema of a server accepts in another notation is sent so', async () => {
  await using home = await homeWithAnswers({ 'tools/list': JSON.stringify({ tools: picky }) });
  await using client = await serveRaw(home);
  for (const [given, received] of [
    ['{"limit":"10"}', '{"limit":10}'],
    ['{"limit":"-1.0"}', '{"limit":-1.0}'],
    ['{"exact":"true"}', '{"exact":true}'],
    ['{"ids":"[1,\\"b\\"]"}', '{"ids":["1","b"]}'],
    ['{"ids":[12345678901234567890,true]}', '{"ids":["12345678901234567890","true"]}'],
    ['{"filter":"{\\"from\\":\\"3\\"}"}', '{"filter":{"from":3}}'],
    ['{"size":"2"}', '{"size":2}'],
    ['{"either":"7"}', '{"either":7}'],
    // The schema has no opinion, or only hints.
    ['{"address":"example.com"}', '{"address":"example.com"}'],
    ['{"anything":"1"}', '{"anything":"1"}'],
    ['{"limit":1e1}', '{"limit":1e1}'],
  ] as const)
    expect(await sent(client, 'up__search', given)).toBe(received);
  for (const args of [
    { limit: 'ten' },
    { limit: '' },
    { limit: '99' },
    { limit: '1.5' },
    { exact: 'yes' },
    { size: '3' },
  ]) {
    const { result } = await client.request('tools/call', { name: 'up__search', arguments: args });
    expect(result, JSON.stringify(args)).toMatchObject({ isError: true });
  }
});

test('an error shows the part of a large schema that matters', async () => {
  await using home = await homeWithAnswers({ 'tools/list': JSON.stringify({ tools: picky }) });
  await using client = await serveRaw(home);
  const said = async (args: object): Promise<string> => {
    const { result } = await client.request('tools/call', { name: 'up__large', arguments: args });
    expect(result).toMatchObject({ isError: true });
    return result.content.map(({ text }: { text: string }) => text).join('\n');
  };
  const text = await said({ limit: 'x', deep: { n: 'y' } });
  expect(text).toContain('"limit" must be of type integer');
  expect(text).toContain('At most 50');
  expect(text).toContain('"n":{"type":"integer"}');
  expect(text).toContain('"p39":{"type":"string"}');
  expect(text).not.toContain('What 39 means');
  expect(text).not.toContain('unused');
  expect(text.length).toBeLessThan(3_000);
});
