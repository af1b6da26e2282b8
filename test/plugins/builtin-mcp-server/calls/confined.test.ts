import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pegboard, startPegboard, type RunningCli } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { fixture, npmServer } from '../../../kit/mcp/mcp-source.ts';
import { callBody, modernHeaders, openSession, post } from '../../../kit/mcp/mcp-wire.ts';

const token = 'only-for-this-test';
const config = (reading: object): string =>
  JSON.stringify({
    serve: { token },
    presets: {
      reading,
      wide: { description: 'More than reading' },
      other: { tools: ['filesystem.write'] },
    },
    mcpServers: { everything: npmServer('everything'), claims: fixture('claims') },
  });
const reading = { tools: ['filesystem.read', 'filesystem.grep', 'work', 'claims'], block: ['work.hidden'] };

let home: TestHome;
let serving: RunningCli;
let port: number;
beforeAll(async () => {
  home = await createHome({
    'pegboard.yaml': config(reading),
    'spaces/work/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
    'spaces/work/agent/tools/hidden.md': manifest('hidden', 'command: echo hidden'),
  });
  // From now on the servers' tools are known.
  await pegboard(['mcp', 'list'], { home: home.path });
  serving = startPegboard(['serve', '--http', '0', '--preset', 'reading'], { home: home.path });
  port = Number(/serving http:\/\/127\.0\.0\.1:(\d+)/.exec(await serving.waitFor(/serving \S+/))![1]);
});
afterAll(async () => {
  await serving[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

async function connect(mode: 'legacy' | 'auto', path = ''): Promise<Client> {
  const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const url = new URL(`http://localhost:${port}/mcp${path}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

describe.each(['legacy', 'auto'] as const)('a token for a preset, in mode %s', (mode) => {
  const namesAt = async (path: string): Promise<readonly string[]> => {
    const client = await connect(mode, path);
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name).toSorted();
  };

  test.each([
    ['', ['ask', 'greet', 'grep', 'read', 'report', 'say', 'show']],
    ['/reading', ['ask', 'greet', 'grep', 'read', 'report', 'say', 'show']],
    ['/wide', ['ask', 'greet', 'grep', 'read', 'report', 'say', 'show']],
    ['/filesystem', ['grep', 'read']],
    ['/work', ['greet']],
    ['/claims', ['ask', 'report', 'say', 'show']],
  ])('opens of /mcp%s what the preset has of it', async (path, names) => {
    const listed = await namesAt(path);
    expect(listed.map((name) => name.replace(/^claims__/, '')).toSorted()).toEqual(names);
  });

  test.each(['/core', '/everything', '/other', '/nothing', '/shell', '/meta'])(
    'finds nothing at /mcp%s',
    async (path) => {
      const init = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
      const answer =
        mode === 'legacy'
          ? await post({ port, token }, JSON.stringify(init), {}, `/mcp${path}`)
          : await post({ port, token }, callBody('read', {}, 'modern'), modernHeaders('read'), `/mcp${path}`);
      expect(answer.status).toBe(404);
      // The same for tools that exist and tools that don't.
      expect(answer.text).toContain(`Nothing is served under the name \\"${path.slice(1)}\\" here.`);
      expect(answer.text).not.toContain('Did you mean');
    },
  );

  test.each([
    'write',
    'filesystem.write',
    'filesystem__write',
    'mcp__filesystem__write',
    'bash',
    'everything__echo',
    'everything.echo',
    'mcp__everything__echo',
    'hidden',
    'work.hidden',
    'execute_tool',
    'run_parallel',
    'background_run',
    'call_app',
    'agent',
    'search_tools',
    'get_tool',
  ])('runs no %s, on any path', async (name) => {
    for (const path of ['', '/filesystem', '/wide']) {
      const client = await connect(mode, path);
      const args = { path: 'x', content: 'x', name: 'filesystem.write', message: 'x' };
      await expect(client.callTool({ name, arguments: args })).rejects.toThrow(`Unknown tool "${name}".`);
      await client.close();
    }
  });

  test('lists, reads and completes what servers of the preset have, and no other', async () => {
    const client = await connect(mode);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['claims://one']);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['greet']);
    const templates = await client.listResourceTemplates();
    expect(templates.resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['claims://{any}']);
    for (const prompt of ['simple-prompt', 'everything__simple-prompt'])
      await expect(client.getPrompt({ name: prompt })).rejects.toThrow('There is no prompt');
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const;
    await expect(client.complete({ ref, argument: { name: 'department', value: 'E' } })).rejects.toThrow(
      'There is no prompt',
    );
    await client.close();
    const files = await connect(mode, '/filesystem');
    expect(files.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      ...(mode === 'legacy'
        ? { logging: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
        : { extensions: { 'io.modelcontextprotocol/tasks': {} } }),
    });
    await files.close();
  });
});

test('a session of one path is none of another', async () => {
  const session = await openSession({ port, token }, '/mcp/work');
  const body = callBody('read', { path: 'pegboard.yaml' }, 'legacy');
  const elsewhere = await post({ port, token }, body, session, '/mcp/filesystem');
  expect(elsewhere.status).toBe(404);
  const own = await post({ port, token }, callBody('greet', {}, 'legacy'), session, '/mcp/work');
  expect(own.text).toContain('hello');
});

test('a preset of single tools gives nothing else of their server, by any way of saying it', async () => {
  await using narrow = await createHome({
    'pegboard.yaml': config({ tools: ['claims.say', 'everything.get-*'] }),
  });
  await using stdio = startPegboard(['serve', '--preset', 'reading'], { home: narrow.path });
  const ask = (id: number, method: string, params: object): void =>
    void stdio.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const clientInfo = { name: 'raw', version: '1' };
  ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const hello = await stdio.waitFor(/"id":0/);
  expect(hello).toContain('"tools":{"listChanged":true}');
  expect(hello).not.toMatch(/"resources"|"prompts"|"completions"/);
  ask(1, 'resources/read', { uri: 'claims://one' });
  ask(2, 'prompts/get', { name: 'greet' });
  const answers = await stdio.waitFor(/"id":1.*"id":2|"id":2.*"id":1/s);
  expect(answers.match(/Method not found/g)).toHaveLength(2);
});

test('in discovery mode, search, lists and the tools that run others stay within the preset', async () => {
  await using stdio = startPegboard(['serve', '--preset', 'reading', '--mode', 'discovery'], {
    home: home.path,
  });
  let id = 0;
  const ask = async (method: string, params: object): Promise<string> => {
    const own = ++id;
    stdio.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: own, method, params })}\n`);
    const all = await stdio.waitFor(new RegExp(`"id":${own}\\D`));
    return all.split('\n').find((line) => new RegExp(`"id":${own}\\D`).test(line))!;
  };
  const call = (name: string, args: object): Promise<string> => ask('tools/call', { name, arguments: args });
  const clientInfo = { name: 'raw', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  expect(await call('search_tools', { query: 'write a file' })).not.toMatch(/filesystem\.(write|edit)/);
  expect(await call('search_tools', { query: 'run a shell command' })).not.toContain('bash');
  expect(await call('list_categories', {})).not.toMatch(/memory|schedules|everything/);
  for (const name of ['filesystem.write', 'no.such']) {
    const answers = [
      await call('get_tool', { name }),
      await call('execute_tool', { name, params: { path: 'x', content: 'x' } }),
      await call('execute_destructive_tool', { name, params: { path: 'x', content: 'x' } }),
    ];
    for (const answer of answers) expect(answer).toMatch(/no tool|Unknown tool/);
  }
  expect(
    await call('execute_read_only_tool', { name: 'filesystem.read', params: { path: 'pegboard.yaml' } }),
  ).toContain('presets');
});

test('what the configuration takes out of the preset is gone at once', async () => {
  const client = await connect('legacy', '/filesystem');
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read');
  await home.write('pegboard.yaml', config({ tools: ['work'] }));
  const refused = async (): Promise<boolean> => {
    const call = client.callTool({ name: 'read', arguments: { path: 'pegboard.yaml' } });
    return call.then(
      () => false,
      () => true,
    );
  };
  while (!(await refused()));
  expect((await client.listTools()).tools).toEqual([]);
  await client.close();
});
