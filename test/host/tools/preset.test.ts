import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../host/api/result.ts';
import { tokensIn } from '../../../host/tools/injection/wire.ts';
import { pegboard, pegboardJson, startPegboard } from '../../kit/cli.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { connectOld, overPipes, type ForeignClient } from '../../kit/mcp/mcp-clients.ts';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startScriptedModel, type Script } from '../../../host/testing/index.ts';

const maxFirstRequest = 4500;
const maxForClaudeCode = 25;
const ownTool = 'spaces/work/agent/tools/greet.md';
const own = { [ownTool]: manifest('greet', 'command: echo Hello') };

interface SentTool {
  readonly function: { readonly name: string };
}
interface Sent {
  readonly messages: readonly unknown[];
  readonly tools: readonly SentTool[];
}

/** The first request that a model gets, and the chat's result. */
async function chat(
  script: Script,
  { config = {}, files = {} }: { readonly config?: object; readonly files?: object } = {},
) {
  await using model = await startScriptedModel(script);
  const settings = { ...(JSON.parse(configFor(model)) as object), ...config };
  await using home = await createHome({ 'pegboard.yaml': JSON.stringify(settings), ...files });
  const { stdout } = await pegboard(['chat', 'Hello', '--json', '--yes'], { home: home.path });
  const first = model.requests[0]! as unknown as Sent;
  return { first, names: first.tools.map((tool) => tool.function.name), stdout };
}

describe('what the model of a fresh home is sent first', () => {
  test('stays small, with the tools in full', async () => {
    const { first, names } = await chat(() => ({ text: 'Hello' }));
    const { messages, tools } = first;
    // The names of days and months differ in length: this is the longest date.
    const date = /\[Context: \w+day, [^|]*/;
    const sent = JSON.stringify({ messages, tools });
    expect(sent).toMatch(date);
    const longest = sent.replace(date, '[Context: Wednesday, September 30, 2026 at 10:00 PM (Etc/UTC) ');
    expect(tokensIn(longest)).toBeLessThanOrEqual(maxFirstRequest);
    expect(names).toEqual(expect.arrayContaining(['read', 'bash', 'memory_store', 'schedule_create']));
    expect(names).toEqual(expect.arrayContaining(['search_tools', 'get_tool', 'execute_tool']));
    for (const name of names) expect(name).not.toMatch(/^(self_|Ws|watch_|extension_reload)/);
  });

  test('has every tool of the user', async () => {
    const { names } = await chat(() => ({ text: 'Hello' }), { files: own });
    expect(names).toContain('greet');
  });

  test.for([
    ['preset: full', { config: { preset: 'full' } }, ['self_system_status', 'WsRead', 'watch_start']],
    ['showTools', { config: { showTools: ['self'] } }, ['self_view_logs', 'self_system_status']],
    [
      "the agent's file",
      {
        files: {
          'spaces/personal/space.manifest.json': '{"name": "personal"}',
          'spaces/personal/agent/agent.yaml': 'runtime: { direct_modules: [self], watchers: true }',
        },
      },
      ['self_system_status', 'watch_start'],
    ],
    [
      "the preset of the agent's file",
      {
        files: {
          'spaces/personal/space.manifest.json': '{"name": "personal"}',
          'spaces/personal/agent/agent.yaml': 'runtime: { preset: full }',
        },
      },
      ['self_system_status', 'http_get'],
    ],
  ] as const)('has more with %s', async ([, parts, more]) => {
    const { names } = await chat(() => ({ text: 'Hello' }), parts);
    expect(names).toEqual(expect.arrayContaining([...more]));
  });

  test('leaves out nothing that can not be found and called', async () => {
    const { stdout } = await chat((_request, index) =>
      index === 0
        ? {
            toolCalls: [
              { name: 'search_tools', arguments: { domain: 'pegboard', queries: ['system status'] } },
            ],
          }
        : index === 1
          ? { toolCalls: [{ name: 'self_system_status', arguments: {} }] }
          : index === 2
            ? { toolCalls: [{ name: 'execute_tool', arguments: { name: 'watchers.watch_list' } }] }
            : { text: 'Done' },
    );
    const { toolCalls } = JSON.parse(stdout) as { toolCalls: { ok: boolean; result: string }[] };
    expect(toolCalls.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(toolCalls[0]!.result).toContain('self.self_system_status');
  });
});

type Connect = (home: string, ...args: string[]) => Promise<ForeignClient>;
const ways: { readonly [way: string]: Connect } = {
  stdio: (home, ...args) =>
    overPipes['SDK v1'](startPegboard(['serve', ...args], { home }), { name: 'claude-code' }),
  async HTTP(home, ...args) {
    const serving = startPegboard(['serve', '--http', '0', ...args], { home });
    const [, url, token] = /serving (\S+)[\s\S]*?Bearer ([^\s"]+)"/.exec(
      await serving.waitFor(/Bearer [^\s"]+"/),
    )!;
    const transport = new StreamableHTTPClientTransport(new URL(url!), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
    const client = await connectOld(transport, { name: 'claude-code' });
    return {
      ...client,
      async [Symbol.asyncDispose]() {
        await client[Symbol.asyncDispose]();
        await serving[Symbol.asyncDispose]();
      },
    };
  },
};

const namesOf = (tools: readonly JsonObject[]): readonly unknown[] => tools.map(({ name }) => name);

describe.for(Object.entries(ways))('over %s, claude-code', ([, connect]) => {
  test('sees a few tools of Pegboard, and finds and calls the others', async () => {
    await using home = await createHome();
    await using client = await connect(home.path);
    const names = namesOf(await client.listTools());
    expect(names.length).toBeLessThanOrEqual(maxForClaudeCode);
    expect(names).toEqual(expect.arrayContaining(['read', 'schedule_create', 'search_tools', 'get_tool']));
    expect(names).not.toContain('watch_list');
    expect(client.instructions).toContain('Where search_tools is listed');
    const found = await client.call('search_tools', { queries: ['list watchers'] });
    expect(JSON.stringify(found)).toContain('watchers.watch_list');
    expect(
      (await client.call('execute_read_only_tool', { name: 'watchers.watch_list' }))['isError'],
    ).not.toBe(true);
    expect((await client.call('watch_list'))['isError']).not.toBe(true);
  });

  test.for([
    ['its configuration', 'serve: { preset: full }', []],
    ['the preset full', '', ['--preset', 'full']],
  ] as const)('sees everything with %s', async ([, config, args]) => {
    await using home = await createHome({ 'pegboard.yaml': config });
    await using client = await connect(home.path, ...args);
    const names = namesOf(await client.listTools());
    expect(names).toEqual(expect.arrayContaining(['watch_list', 'WsRead', 'self_system_status']));
    expect(names).not.toContain('search_tools');
  });

  test("sees the user's own tools besides", async () => {
    await using home = await createHome(own);
    await using client = await connect(home.path);
    expect(namesOf(await client.listTools())).toContain('greet');
  });
});

test('a preset of the home named full stays what it is', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'presets: { full: { tools: [filesystem.read] } }' });
  await using client = await ways['stdio']!(home.path, '--preset', 'full');
  expect(namesOf(await client.listTools())).toEqual(['read']);
});

test('`pegboard tools` marks what is not listed, and says what to write to list it', async () => {
  await using home = await createHome(own);
  const { stdout, stderr } = await pegboard(['tools'], { home: home.path });
  expect(stdout).toMatch(/watchers {2}builtin, not shown at once/);
  expect(stderr).toContain('preset: full');
  const { tools } = await pegboardJson<{ tools: { id: string; listed: boolean }[] }>(['tools', '--json'], {
    home: home.path,
  });
  const listed = new Map(tools.map((tool) => [tool.id, tool.listed]));
  expect(listed.get('filesystem.read')).toBe(true);
  expect(listed.get('self.self_deploy') ?? false).toBe(false);
  expect(listed.get('work.greet')).toBe(true);
});
