import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../host/api/result.ts';
import type { Tool } from '../../../../host/api/tool.ts';
import { openEndpoint, type EndpointChange } from '../../../../plugins/builtin-mcp-server/endpoint.ts';
import type { ServedHost } from '../../../../plugins/builtin-mcp-server/served-host.ts';
import { forgottenTexts } from '../../../../plugins/builtin-mcp-server/http/kept-texts.ts';
import { openSigner } from '../../../../plugins/builtin-mcp-server/http/signer.ts';
import { scriptTools } from '../../../../plugins/builtin-scripts/tools.ts';
import { createMetaSource } from '../../../../host/meta/source.ts';
import { defaultScriptLimits } from '../../../kit/script-limits.ts';
import { createScriptRunner } from '../../../../plugins/builtin-scripts/script-runner.ts';
import { createToolSearch } from '../../../../plugins/builtin-search/search-tools.ts';
import { pixel } from '../../../fixtures/conformance/media.ts';
import { suiteHost } from '../../../fixtures/mcp-server/suite-host.ts';
import { overHttp, type ForeignClient } from '../../../kit/mcp/mcp-clients.ts';
import { servedHost } from '../../../kit/mcp/served-host.ts';
import { echoTool, memorySource } from '../../../kit/source.ts';

const runners: AsyncDisposable[] = [];
afterAll(() => Promise.all(runners.map((one) => one[Symbol.asyncDispose]())));

async function withMeta<Host extends ServedHost>(host: Host): Promise<Host> {
  const { registry, dispatch } = host;
  const search = createToolSearch(() => registry.snapshot);
  const services = { snapshot: () => registry.snapshot, search, dispatch };
  const scripts = createScriptRunner({ ...services, holdsSecret: () => false }, () => defaultScriptLimits);
  runners.push(scripts);
  await registry.add(createMetaSource(services, scriptTools(scripts)));
  return host;
}
const namesOf = (tools: readonly JsonObject[]): unknown[] => tools.map(({ name }) => name);
const textOf = (result: JsonObject): string =>
  (result['content'] as { readonly text?: string }[]).map(({ text = '' }) => text).join('\n');

const discoveryNames = [
  'search_tools',
  'list_categories',
  'browse_category',
  'get_tool',
  'run_read_only_script',
  'run_script',
  'execute_read_only_tool',
  'execute_tool',
  'execute_destructive_tool',
];

describe.each(Object.entries(overHttp))('in discovery, a client with %s', (_how, connect) => {
  let client: ForeignClient;
  const questions: JsonObject[] = [];
  beforeAll(async () => {
    const host = await withMeta(await suiteHost({ mode: 'discovery' }));
    client = await connect(host, {
      answer: (params) => {
        questions.push(params);
        return { action: 'accept', content: {} };
      },
    });
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test('sees tools that find, two for scripts, and three that run by what a tool may do', async () => {
    const tools = await client.listTools();
    expect(namesOf(tools)).toEqual(discoveryNames);
    const hints = tools.map(({ annotations }) => annotations);
    expect(hints.slice(0, 5)).toEqual(Array(5).fill(expect.objectContaining({ readOnlyHint: true })));
    expect(hints.slice(5)).toEqual([
      { readOnlyHint: false, destructiveHint: true },
      { readOnlyHint: true },
      { readOnlyHint: false, destructiveHint: false },
      { readOnlyHint: false, destructiveHint: true },
    ]);
    expect(client.instructions).toContain('search_tools');
  });

  test('finds a tool and runs it, with its _meta and the client’s', async () => {
    const found = await client.call('search_tools', { queries: ['suite echo arguments'] });
    expect(textOf(found)).toContain('"name":"memory.echo"');
    const result = await client.call(
      'execute_read_only_tool',
      { name: 'memory.echo', params: { message: 'hello' } },
      { meta: { 'example/sent': 'kept' } },
    );
    expect(textOf(result)).toMatch(/^hello for mcp:(old|new)$/);
    expect(result['_meta']).toMatchObject({ 'example/request': 'kept' });
  });

  test('gets images and structured content as they are', async () => {
    const result = await client.call('execute_tool', { name: 'measure' });
    expect(result['content']).toEqual([{ type: 'image', data: pixel, mimeType: 'image/png' }]);
    expect(result['structuredContent']).toEqual({ width: 1 });
  });

  test('gets a failure as the tool’s own', async () => {
    const result = await client.call('execute_tool', { name: 'fail' });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('the disk is full');
  });

  test('receives progress', async () => {
    const heard: unknown[] = [];
    await client.call(
      'execute_tool',
      { name: 'steps' },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    expect(heard.length).toBeGreaterThan(0);
  });

  test.for([
    ['execute_tool', 'echo', 'low', 'execute_read_only_tool'],
    ['execute_read_only_tool', 'measure', 'medium', 'execute_tool'],
    ['execute_tool', 'deploy', 'high', 'execute_destructive_tool'],
    ['execute_read_only_tool', 'deploy', 'high', 'execute_destructive_tool'],
  ] as const)('is told by %s what runs %s', async ([name, tool, risk, right]) => {
    questions.length = 0;
    const result = await client.call(name, { name: tool, params: { message: 'x' } });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toBe(`memory.${tool} has risk ${risk}: run it with ${right}.`);
    expect(questions).toEqual([]);
  });

  test('runs a script, which only reads where its name says so', async () => {
    questions.length = 0;
    const code = `await call('deploy', { to: 'staging' }); return 'deployed'`;
    const refused = await client.call('run_read_only_script', { code });
    expect(textOf(refused)).toContain('memory.deploy may change something (risk high)');
    expect(questions).toEqual([]);
    expect(textOf(await client.call('run_script', { code }))).toBe('deployed');
    expect(questions).toHaveLength(1);
  });

  test('is asked about the tool that runs, with its arguments', async () => {
    questions.length = 0;
    const result = await client.call('execute_destructive_tool', {
      name: 'deploy',
      params: { to: 'staging' },
    });
    expect(textOf(result)).toContain('deployed to staging');
    expect(questions).toHaveLength(1);
    expect(questions[0]!['message']).toContain("deploy.sh 'staging'");
  });

  test('reads the schema when arguments do not fit', async () => {
    const result = await client.call('execute_read_only_tool', { name: 'echo', params: { massage: 1 } });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('The schema of the arguments: {"type":"object"');
    expect(textOf(result)).toContain('"What to say"');
  });

  test.for([
    [{ name: 'ecko' }, /no tool "ecko".*Did you mean memory\.echo/],
    [{ name: 'search_tools' }, /by its own name/],
    [{ params: {} }, /takes the name of a tool/],
    [{ name: 'echo', params: ['a'] }, /takes the name of a tool/],
    [{ name: 'echo', message: 'hello' }, /takes the name of a tool/],
  ] as const)('is told what is wrong with %j', async ([args, message]) => {
    const result = await client.call('execute_read_only_tool', args);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(message);
  });

  test('may call a tool that is not listed by its own name', async () => {
    expect(textOf(await client.call('echo', { message: 'direct' }))).toMatch(/^direct for/);
  });

  test('sees the same list after a call that added a tool, and finds the new one', async () => {
    const before = await client.listTools();
    await client.call('execute_tool', { name: 'grow' });
    expect(await client.listTools()).toEqual(before);
    expect(textOf(await client.call('search_tools', { query: 'extra' }))).toContain('memory.extra_1');
  });

  test('stops a tool by cancelling', async () => {
    const stopping = new AbortController();
    const host = await withMeta(await suiteHost({ mode: 'discovery' }));
    await using other = await connect(host, {});
    const call = other.call('execute_tool', { name: 'wait' }, { signal: stopping.signal });
    await host.waiting();
    const aborted = host.aborted();
    stopping.abort();
    await expect(call).rejects.toThrow();
    await aborted;
  });
});

describe.each(Object.entries(overHttp))('in compact, a client with %s', (_how, connect) => {
  test('sees every tool by one line with names and types, and repairs its call by the answer', async () => {
    await using client = await connect(await withMeta(await suiteHost({ mode: 'compact_direct' })));
    const tools = await client.listTools();
    expect(namesOf(tools)).toEqual([
      'echo',
      'measure',
      'fail',
      'steps',
      'wait',
      'deploy',
      'grow',
      'get_tool',
    ]);
    expect(tools[0]).toEqual({
      name: 'echo',
      description: 'Gives its arguments back, and what came with them',
      inputSchema: {
        type: 'object',
        properties: { message: { type: 'string' } },
        required: ['message'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    const refused = await client.call('echo', { text: 'hello' });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).toContain('"required":["message"]');
    expect(textOf(await client.call('echo', { message: 'hello' }))).toMatch(/^hello for/);
  });
});

describe('in direct', () => {
  test('meta-tools are neither listed nor callable', async () => {
    await using client = await overHttp['SDK v2, modern'](
      await withMeta(await suiteHost({ mode: 'direct' })),
    );
    expect(namesOf(await client.listTools())).not.toContain('search_tools');
    expect(client.instructions).toBeUndefined();
    for (const name of [...discoveryNames, 'meta.execute_tool'])
      await expect(client.call(name, { name: 'echo' }), name).rejects.toThrow('Unknown tool');
  });
});

describe('without a mode', () => {
  const many = (count: number): readonly Tool[] =>
    Array.from({ length: count }, (_, at) => echoTool({ name: `tool_${at}`, description: 'x'.repeat(400) }));

  test.for([
    [10, 200_000, 'tool_0', 10],
    [20, 8_000, 'tool_0', 21],
    [60, 8_000, 'search_tools', 9],
    [400, undefined, 'tool_0', 401],
  ] as const)(
    '%i tools at a context window of %s are listed from %s on',
    async ([count, contextWindow, first, length]) => {
      const host = await withMeta(await servedHost(many(count), contextWindow ? { contextWindow } : {}));
      await using client = await overHttp['SDK v1'](host);
      const tools = await client.listTools();
      expect(tools[0]!['name']).toBe(first);
      expect(tools).toHaveLength(length);
    },
  );

  test.for([
    'claude-code',
    'codex-mcp-client',
    'Visual Studio Code',
    'Visual Studio Code - Insiders',
  ] as const)('%s sees all tools, for it defers them itself', async (name) => {
    for (const connect of Object.values(overHttp)) {
      const host = await withMeta(await servedHost(many(60), { contextWindow: 8_000 }));
      await using client = await connect(host, { name });
      expect(namesOf(await client.listTools())).toEqual(many(60).map((tool) => tool.name));
      await using forced = await connect({ ...host, mode: 'discovery' }, { name });
      expect(namesOf(await forced.listTools())).toEqual(discoveryNames);
    }
  });
});

describe('a selection', () => {
  test('is all that its clients find and run', async () => {
    const host = await servedHost(memorySource([echoTool({ name: 'a' })], { module: 'one' }), {
      mode: 'discovery',
      presets: { short: { allowed: ['one'] } },
    });
    await host.registry.add(memorySource([echoTool({ name: 'b' })], { module: 'two' }));
    await withMeta(host);
    await using client = await overHttp['SDK v2, modern'](host, { preset: 'short' });
    const call = async (name: string, args: JsonObject): Promise<string> =>
      textOf(await client.call(name, args));
    expect(namesOf(await client.listTools())).toEqual(discoveryNames);
    expect(await call('search_tools', { query: 'echo answers arguments', limit: 50 })).not.toContain('two.b');
    expect(await call('list_categories', {})).not.toContain('two');
    expect(await call('execute_tool', { name: 'two.b' })).toContain('not available');
    expect(await call('execute_tool', { name: 'one.a' })).toBe('{}');
  });
});

test('news go only to those whose list has changed', async () => {
  const source = memorySource([echoTool({ name: 'a' })]);
  const host = await withMeta(await servedHost(source, { contextWindow: 100 }));
  using endpoint = openEndpoint(
    host,
    { preset: undefined, path: undefined },
    await openSigner(forgottenTexts),
  );
  const news: EndpointChange[] = [];
  endpoint.onChange((item) => news.push(item));
  const changed = Promise.withResolvers<void>();
  host.registry.onChange(() => changed.resolve());
  source.change({ tools: [echoTool({ name: 'a' }), echoTool({ name: 'b' })] });
  await changed.promise;
  const deferring = endpoint.toolsFor({ name: 'claude-code' });
  expect(endpoint.toolsFor({ name: 'other' }).mode).toBe('discovery');
  expect(news).toEqual([{ about: 'tools', lists: [deferring] }]);
});

test('at 80 tools, list, instructions and one search together stay under 1,060 tokens', async () => {
  const verbs = ['create', 'list', 'update', 'delete', 'search', 'export', 'archive', 'share'];
  const objects = [
    'issue',
    'comment',
    'release',
    'branch',
    'milestone',
    'label',
    'review',
    'webhook',
    'team',
    'page',
  ];
  const tools = objects.flatMap((object) =>
    verbs.map((verb) =>
      echoTool({
        name: `${verb}_${object}`,
        description: `Lets you ${verb} a ${object} of a repository that you may write to, and returns it as it is afterwards, with all of its fields and links.`,
        parameters: {
          type: 'object',
          properties: {
            repository: { type: 'string' },
            [object]: { type: 'string' },
            page: { type: 'integer' },
          },
          required: ['repository', object],
        },
      }),
    ),
  );
  const source = memorySource(tools, { module: 'repositories', kind: 'mcp' });
  await using client = await overHttp['SDK v1'](
    await withMeta(await servedHost(source, { mode: 'discovery' })),
  );
  const list = JSON.stringify(await client.listTools());
  const search = JSON.stringify(
    await client.call('search_tools', { queries: ['repositories create issue'] }),
  );
  expect(search).toContain('create_issue');
  expect((list.length + client.instructions!.length + search.length) / 4).toBeLessThan(1_060);
});
