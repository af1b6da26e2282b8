import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../host/api/result.ts';
import { listen, readBody } from '../../../../host/testing/http-server.ts';
import { pegboard, startPegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import type { McpMessage } from '../../../kit/mcp/mcp-json-server.ts';
import { caller, createMcpLab } from '../../../kit/mcp/mcp-source.ts';

/** What no member of MCP's objects may be, or only some. */
const wrong: readonly unknown[] = [null, -1.5, 'maybe', [null], ['x'], [{}], { a: 7 }];

type Part = readonly (string | number)[];
const icon = { src: 'data:,', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' };
const annotations = { audience: ['user'], priority: 1, lastModified: '2025-01-12T15:00:58Z' };
const shown = { title: 'T', description: 'D', icons: [icon], _meta: { a: 1 } };
const iconParts: Part[] = ['mimeType', 'sizes', 'theme'].map((key) => ['icons', 0, key]);
const annotationParts: Part[] = ['audience', 'priority', 'lastModified'].map((key) => ['annotations', key]);
const shownParts: Part[] = [...['title', 'description', 'icons', '_meta'].map((key) => [key]), ...iconParts];
const describedParts: Part[] = [...shownParts, ['mimeType'], ['annotations'], ...annotationParts];
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

/** For what takes a request each. */
const few = [null, 'maybe', [7], { a: null }];
/** The same value with another one at this place, for each of these. */
function variants(base: object, parts: readonly Part[], values = wrong): JsonObject[] {
  return parts.flatMap((part) =>
    values.map((value) => {
      const copy = structuredClone(base) as Record<string | number, any>;
      let at = copy;
      for (const key of part.slice(0, -1)) at = at[key] as typeof copy;
      at[part.at(-1)!] = value;
      return copy;
    }),
  );
}

const hints = ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
const keywords =
  'type enum required items allOf anyOf not pattern format minLength minimum uniqueItems $ref $id id nullable dependencies additionalItems additionalProperties propertyNames if const dependentRequired $defs patternProperties contains multipleOf';
const tools: readonly (JsonObject & { readonly name: string })[] = [
  ...variants(
    {
      name: '',
      ...shown,
      inputSchema: schema,
      outputSchema: { type: 'object', properties: { a: { type: 'string' } } },
      annotations: Object.fromEntries(hints.map((hint) => [hint, hint === 'title' ? 'T' : true])),
      execution: { taskSupport: 'optional' },
    },
    [
      ...shownParts,
      ['inputSchema', 'properties'],
      ['inputSchema', 'properties', 'a'],
      ['inputSchema', 'required'],
      ['inputSchema', '$schema'],
      ['outputSchema'],
      ['outputSchema', 'type'],
      ['outputSchema', 'properties'],
      ...keywords.split(' ').map((keyword) => ['outputSchema', 'properties', 'a', keyword]),
      ['annotations'],
      ...hints.map((hint) => ['annotations', hint]),
      ['execution'],
      ['execution', 'taskSupport'],
    ],
  ),
].map((tool, at) => ({ ...tool, name: `tool_${at}` }));
const resources = variants({ ...shown, uri: '', name: 'n', mimeType: 'a/b', annotations, size: 1 }, [
  ...describedParts,
  ['size'],
]).map((resource, at) => ({ ...resource, uri: `x://${at}` }));
const resourceTemplates = variants(
  { ...shown, uriTemplate: '', name: 'n', mimeType: 'a/b', annotations },
  describedParts,
).map((template, at) => ({ ...template, uriTemplate: `x://${at}/{a}` }));
const argument = { name: 'a', description: 'D', required: true };
const prompts = variants({ ...shown, name: '', arguments: [argument] }, [
  ...shownParts,
  ['arguments'],
  ['arguments', 0, 'description'],
  ['arguments', 0, 'required'],
]).map((prompt, at) => ({ ...prompt, name: `prompt_${at}` }));

const content = [
  { type: 'text', text: 'x', annotations, _meta: { a: 1 } },
  { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations, _meta: {} },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations, _meta: {} },
  {
    type: 'resource',
    resource: { uri: 'x://1', mimeType: 'a/b', text: 'x', _meta: {} },
    annotations,
    _meta: {},
  },
  { type: 'resource_link', uri: 'x://1', name: 'n', ...shown, mimeType: 'a/b', annotations, size: 1 },
];
const contentParts: Part[] = content.flatMap((_, at) =>
  [['annotations'], ['_meta'], ...annotationParts].map((part) => ['content', at, ...part]),
);
const metaParts: Part[] = [
  ['_meta'],
  ['_meta', 'progressToken'],
  ['_meta', 'io.modelcontextprotocol/related-task'],
];
const results = variants(
  { content, structuredContent: { a: 'x' }, isError: false, _meta: {} },
  [
    ['content'],
    ['structuredContent'],
    ['isError'],
    ...metaParts,
    ...contentParts,
    ['content', 3, 'resource', 'mimeType'],
    ['content', 3, 'resource', '_meta'],
    ...[...describedParts, ['size']].map((part) => ['content', 4, ...part]),
  ],
  few,
).filter(
  ({ content: blocks }) => !Array.isArray(blocks) || blocks.length === content.length || blocks.length === 0,
);
const contents = [{ uri: 'x://1', mimeType: 'a/b', text: 'x', _meta: {} }];
const reads = variants(
  { contents, _meta: {} },
  [...metaParts, ['contents', 0, 'mimeType'], ['contents', 0, '_meta']],
  few,
);
const messages = content.map((block) => ({ role: 'user', content: block }));
const gets = variants(
  { description: 'D', messages, _meta: {} },
  [
    ['description'],
    ...metaParts,
    ...content.flatMap((_, at) =>
      [['annotations'], ['_meta'], ...annotationParts].map((part) => ['messages', at, 'content', ...part]),
    ),
  ],
  few,
);
const completions = variants(
  { completion: { values: ['x'], total: 1, hasMore: false }, _meta: {} },
  [...metaParts, ['completion', 'total'], ['completion', 'hasMore']],
  few,
);

/** A server that lists all of that, and answers requests by their number. */
const answers: { readonly [method: string]: (params: any) => unknown } = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: {
      tools: {},
      resources: {},
      prompts: { listChanged: 'yes' },
      completions: {},
      logging: null,
    },
    serverInfo: { name: 'sloppy', version: '1', title: 7, icons: [{ sizes: '48x48' }] },
    instructions: null,
  }),
  'tools/list': () => ({ tools: [...tools, { name: 'result', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { at } }) => results[at],
  'resources/list': () => ({ resources }),
  'resources/templates/list': () => ({ resourceTemplates }),
  'resources/read': ({ uri }) => reads[Number(new URL(uri as string).host)],
  'prompts/list': () => ({ prompts }),
  'prompts/get': ({ arguments: args }) => gets[Number(args.at)],
  'completion/complete': ({ argument: { value } }) => completions[Number(value)],
};

async function listenSloppily(): Promise<{ readonly url: string } & AsyncDisposable> {
  return listen((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method, params } = JSON.parse(await readBody(request)) as McpMessage;
      if (id === undefined) return response.writeHead(202).end();
      const result = answers[method]?.(params ?? {});
      const said = result === undefined ? { error: { code: -32601, message: 'no' } } : { result };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
    })();
  });
}

test('a strict client can use all of a server that sends every optional member wrongly', async () => {
  await using server = await listenSloppily();
  await using home = await createHome({
    'pegboard.yaml': JSON.stringify({ mcpServers: { up: { url: server.url } } }),
  });
  await pegboard(['mcp', 'list'], { home: home.path });
  await using serving = startPegboard(['serve', '--mode', 'direct', '--preset', 'up'], { home: home.path });
  const client = new Client({ name: 'strict', version: '1' });
  const { stdout, stdin } = serving.child;
  await client.connect(new StdioServerTransport(stdout.pipe(new PassThrough()), stdin));

  const listed = await client.listTools();
  expect(listed.tools.map(({ name }) => name)).toEqual([
    ...tools.map(({ name }) => `up__${name}`),
    'up__result',
  ]);
  expect((await client.listResources()).resources).toHaveLength(resources.length);
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(resourceTemplates.length);
  expect((await client.listPrompts()).prompts).toHaveLength(prompts.length);
  for (const [at, { content: blocks }] of results.entries()) {
    const called = await client.callTool({ name: 'up__result', arguments: { at } }).catch(String);
    expect(called, JSON.stringify(results[at])).toHaveProperty('content');
    if (Array.isArray(blocks)) expect((called as (typeof results)[0])['content']).toHaveLength(blocks.length);
  }
  for (const at of reads.keys())
    expect((await client.readResource({ uri: `x://${at}` })).contents).toMatchObject([{ text: 'x' }]);
  for (const at of gets.keys())
    expect(
      (await client.getPrompt({ name: 'prompt_0', arguments: { at: String(at) } })).messages,
    ).toHaveLength(content.length);
  for (const at of completions.keys())
    expect(
      await client.complete({
        ref: { type: 'ref/prompt', name: 'prompt_0' },
        argument: { name: 'a', value: String(at) },
      }),
    ).toMatchObject({ completion: { values: ['x'] } });
  stdin.end();
  await serving.ended;
});

test('what is left out is a warning, and the rest stays', async () => {
  await using server = await listenSloppily();
  await using lab = await createMcpLab();
  const source = lab.open('up', { url: server.url });
  await source.connect();
  const odd = {
    content: [{ type: 'text', text: 'x', annotations: { priority: 9, audience: ['user'] }, _meta: null }],
    isError: 'no',
  };
  const at = results.push(odd) - 1;
  const result = await source.callTool('result', { at }, caller());
  expect(result).toEqual({ content: [{ type: 'text', text: 'x', annotations: { audience: ['user'] } }] });
  const messages = (await source.list()).diagnostics!.map(({ message }) => message);
  for (const part of [
    'sends serverInfo.icons[0] of its handshake, which is not as MCP defines it, and is left out',
    'sends instructions of its handshake',
    'sends isError of a result of result',
    'sends content[0].annotations.priority of a result of result',
    'sends content[0]._meta of a result of result',
    'its icons[0].sizes is left out',
    'its execution.taskSupport is left out',
    'its inputSchema.properties is left out',
  ])
    expect(
      messages.some((message) => message.includes(part)),
      part,
    ).toBe(true);
  const odder = tools.find(({ icons }: any) => icons?.[0]?.sizes === 'maybe')!;
  const listed = (await source.list()).tools.find(({ name }) => name === odder.name);
  expect(listed?.icons).toEqual([{ src: icon.src, mimeType: icon.mimeType, theme: icon.theme }]);
});
