import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { pegboard } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { answerMcp, listenAsMcp, type McpMessage } from '../../../kit/mcp/mcp-json-server.ts';
import { serveKnown } from '../../../kit/mcp/verbatim.ts';

/**
 * Names that something else of the home has: packs of plugins, a space, what finds tools, and what runs where the person
 * is.
 */
const taken = ['filesystem', 'memory', 'work', 'meta', 'bridge'];
const names = ['read', 'list_files', 'filesystem.read', 'memory'];

/** A home with a server of each of these names, and of a free one. */
async function homeWithClashes(more: object = {}): Promise<TestHome & AsyncDisposable> {
  const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
  const answer = (message: McpMessage, response: ServerResponse): void =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answerMcp(message) }));
  const server = await listenAsMcp(answer, undefined, { tools });
  const servers = Object.fromEntries([...taken, 'up'].map((name) => [name, { url: server.url }]));
  const home = await createHome({
    'pegboard.yaml': JSON.stringify({ mcpServers: servers, ...more }),
    'spaces/work/agent/tools/publish.md': manifest('publish', 'command: echo hello'),
  });
  await pegboard(['mcp', 'list'], { home: home.path });
  return {
    ...home,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function listed(home: TestHome, preset: string): Promise<readonly string[]> {
  await using client = await serveKnown(home, ['--mode', 'direct', '--preset', preset]);
  const { result } = await client.request('tools/list');
  return result.tools.map(({ name }: { name: string }) => name);
}

test('a preset never has tools of a module and of a server with its name', async () => {
  await using home = await homeWithClashes();
  const own = await listed(home, 'filesystem');
  expect(own).toContain('bash');
  expect(own.filter((name) => name.includes('__') || name === 'list_files')).toEqual([]);
  expect(await listed(home, 'work')).toEqual(['publish']);
  expect(await listed(home, 'memory')).toEqual(['remember', 'recall', 'forget']);
  for (const name of taken) {
    const ofServer = await listed(home, `mcp__${name}`);
    expect(ofServer).toHaveLength(names.length);
    expect(ofServer).toContain(`${name}__list_files`);
  }
  expect(await listed(home, 'up')).toHaveLength(names.length);
});

test('mcp list, lint and doctor name the clash and what became of it', async () => {
  await using home = await homeWithClashes();
  for (const args of [['mcp', 'list'], ['lint'], ['doctor']]) {
    const { stdout, stderr } = await pegboard(args, { home: home.path });
    const said = (stdout + stderr).replaceAll(/\s+/g, ' ');
    for (const name of taken)
      expect(said, args.join(' ')).toContain(`The server's tools are mcp__${name}.NAME`);
    expect(said).not.toContain('mcp__up');
  }
});

test('a caller may write the name of the server, where nothing else is called so', async () => {
  await using home = await homeWithClashes({
    confirm: 'always',
    permissions: { allow: ['mcp__filesystem.list_files', 'memory.list_files', 'work__list_files'] },
  });
  const call = async (tool: string): Promise<string> => {
    const { stdout, stderr } = await pegboard(['call', tool], { home: home.path });
    return stdout + stderr;
  };
  expect(await call('filesystem.list_files')).toContain('you');
  expect(await call('filesystem__list_files')).toContain('you');
  expect(await call('filesystem.read')).toContain('path');
  for (const tool of ['memory.list_files', 'work__list_files'])
    expect(await call(tool)).toContain('confirmation');
});

test('a rule means the tools of one owner', async () => {
  await using home = await homeWithClashes({
    permissions: { deny: ['filesystem.*', 'mcp__memory__list_files', 'mcp__work'] },
  });
  const call = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await pegboard(['call', ...words], { home: home.path });
    return stdout + stderr;
  };
  expect(await call('mcp__filesystem.list_files')).toContain('you');
  expect(await call('mcp__filesystem__list_files')).toContain('you');
  expect(await call('filesystem.listdir', 'path=.')).toContain('filesystem.*');
  expect(await call('mcp__memory.list_files')).toContain('mcp__memory__list_files');
  expect(await call('mcp__memory.read')).toContain('you');
  expect(await call('mcp__work.read')).toContain('mcp__work');
  expect(await call('work.publish')).toContain('hello');
});

test("a space of a server's name that comes later gets the name", async () => {
  await using home = await homeWithClashes();
  expect(await listed(home, 'up')).toHaveLength(names.length);
  await using client = await serveKnown(home, ['--mode', 'direct']);
  await home.write('spaces/up/agent/tools/hello.md', manifest('hello', 'command: echo hello'));
  const known = async (): Promise<readonly string[]> =>
    (await client.request('tools/list')).result.tools.map(({ name }: { name: string }) => name);
  while (!(await known()).includes('hello')) await client.notified('notifications/tools/list_changed');
  // The running server, and one that starts now.
  const called = await client.request('tools/call', { name: 'mcp__up.list_files', arguments: {} });
  expect(called.result.content).toEqual([{ type: 'text', text: 'you' }]);
  expect(await listed(home, 'up')).toEqual(['hello']);
  expect(await listed(home, 'mcp__up')).toHaveLength(names.length);
});
