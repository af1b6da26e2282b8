import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageEntry, environment, pegboardJson, startPegboard } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { fixture } from '../../../kit/mcp/mcp-source.ts';

/** More than a pipe buffers, so that a reader that closes early is noticed. */
const tools = Array.from({ length: 200 }, (_, i) => ({
  name: `tool_${i}`,
  description: `Does ${i}. ${'It is described at length. '.repeat(20)}`,
  inputSchema: { type: 'object' },
}));
const changed = tools.map((tool) => ({ ...tool, description: `${tool.description} And more.` }));

interface ServerHome extends AsyncDisposable {
  readonly home: TestHome;
  /** The command line of a server with the tools that `offer` wrote last. */
  readonly server: readonly string[];
  offer(list: readonly object[]): Promise<void>;
  /** The tools that are pending approval, according to a new process. */
  held(): Promise<readonly string[]>;
}

async function openServerHome(config = ''): Promise<ServerHome> {
  const home = await createHome({ 'pegboard.yaml': config });
  const file = join(home.path, 'tools.json');
  const { command, args } = fixture('changes-tools', file);
  const offer = (list: readonly object[]) => writeFile(file, JSON.stringify({ tools: list }));
  await offer(tools);
  return {
    home,
    server: [command!, ...args!],
    offer,
    async held() {
      const { servers } = await pegboardJson<{ servers: { pending: string[] }[] }>(['mcp', 'list'], {
        home: home.path,
      });
      return servers.flatMap(({ pending }) => pending);
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/**
 * Runs it in a shell with its output going to `reader`; resolves with what the shell printed and the code of pegboard.
 */
async function readBy(home: string, args: readonly string[], reader: string): Promise<string> {
  const script = `set -o pipefail; "$@" | ${reader}; echo "code \${PIPESTATUS[0]}"`;
  const own = [process.execPath, packageEntry(), '--home', home, ...args];
  const shell = spawn('bash', ['-c', script, 'bash', ...own], { env: environment() });
  let output = '';
  shell.stdout.on('data', (chunk) => (output += String(chunk)));
  shell.stderr.on('data', (chunk) => (output += String(chunk)));
  await once(shell, 'close');
  return output;
}

describe.each(['head -1', 'true'])('a command whose output goes to `%s`', (reader) => {
  test('adds a server, and what was seen of it is pinned', async () => {
    await using at = await openServerHome();
    const output = await readBy(at.home.path, ['mcp', 'add', 'calc', '--', ...at.server], reader);
    expect(output).toMatch(/code 0\n$/);
    await at.offer(changed);
    expect(await at.held()).toHaveLength(tools.length);
  });

  test.each([['tools'], ['mcp', 'list']])(
    'meets a server by %s, and what was seen of it is pinned',
    async (...args) => {
      await using at = await openServerHome();
      const [command, ...rest] = at.server;
      const servers = { calc: { command, args: rest } };
      await at.home.write('pegboard.yaml', JSON.stringify({ mcpServers: servers }));
      expect(await readBy(at.home.path, args, reader)).toMatch(/code 0\n$/);
      const { servers: known } = await pegboardJson<{ servers: { tools: number }[] }>(['status'], {
        home: at.home.path,
      });
      await at.offer(changed);
      const held = await at.held();
      // A server that was not connected was not seen.
      expect(held).toHaveLength(known[0]!.tools);
    },
  );
});

test('`pegboard logs --follow` ends when its output is no longer read', async () => {
  await using home = await createHome();
  await mkdir(join(home.path, 'data/logs'), { recursive: true });
  const log = join(home.path, 'data/logs/host.log');
  await writeFile(log, 'one\n');
  await using logs = startPegboard(['logs', '--follow'], { home: home.path, apart: true });
  await logs.waitFor(/one/);
  logs.child.stdout.destroy();
  await appendFile(log, 'two\n');
  expect(await logs.ended).toMatchObject({ code: 0 });
});

test('what was shown of a server is pinned, also when the command is killed at that moment', async () => {
  await using at = await openServerHome();
  await using adding = startPegboard(['mcp', 'add', 'calc', '--', ...at.server], {
    home: at.home.path,
    apart: true,
  });
  await once(adding.child.stdout, 'data');
  adding.child.kill('SIGKILL');
  await adding.ended;
  await at.offer(changed);
  expect(await at.held()).toHaveLength(tools.length);
});
