import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHost } from '../../host/create-host.ts';
import type { Host } from '../../host/host.ts';
import { textOf } from '../../host/tools/result.ts';
import { createHome, manifest, type TestHome } from '../kit/homes/home.ts';

/** A watched host on a home with one tool that prints `one`. */
async function open(
  files: { readonly [file: string]: string } = {},
): Promise<{ home: TestHome; host: Host } & AsyncDisposable> {
  const home = await createHome({ [file]: manifest('hello', 'command: printf one'), ...files });
  const host = await createHost({ home: home.path, watch: true });
  return {
    home,
    host,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}
const file = 'spaces/demo/agent/tools/hello.md';

const run = async (host: Host, name: string): Promise<string> => {
  const result = await host.dispatch({ name, args: {}, scope: host.scopeFor(undefined), caller: 'test' });
  return result.error?.code ?? textOf(result);
};
const becomes = (read: () => unknown, wanted: unknown) => expect.poll(read, { interval: 5 }).toEqual(wanted);

test('a saved manifest is in service without a restart, a new one appears, a deleted one goes', async () => {
  await using opened = await open();
  const { home, host } = opened;
  expect(await run(host, 'hello')).toBe('one');
  await home.write(file, manifest('hello', 'command: printf two'));
  await becomes(() => run(host, 'hello'), 'two');
  await home.write('spaces/demo/agent/tools/more.md', manifest('more', 'command: printf more'));
  await becomes(() => run(host, 'demo.more'), 'more');
  await rm(join(home.path, file));
  await becomes(() => run(host, 'hello'), 'PEG_TOOL_NOT_FOUND');
});

test('a broken save keeps the last good version and says where it is broken, until it is right again', async () => {
  await using opened = await open();
  const { home, host } = opened;
  await home.write(file, manifest('hello', 'command: printf two\ntimout: 3'));
  await becomes(
    () => host.diagnostics.map(({ code, line, hint }) => ({ code, line, hint })),
    [{ code: 'unknown-key', line: 6, hint: 'timout → timeout?' }],
  );
  expect(await run(host, 'hello')).toBe('one');
  await home.write(file, manifest('hello', 'command: printf two\ntimeout: 3'));
  await becomes(() => host.diagnostics, []);
  expect(await run(host, 'hello')).toBe('two');
});

test('a space that is added, renamed or removed takes its tools along', async () => {
  await using opened = await open();
  const { home, host } = opened;
  await home.write('spaces/second/agent/tools/hi.md', manifest('hi', 'command: printf hi'));
  await becomes(() => run(host, 'second.hi'), 'hi');
  await rename(join(home.path, 'spaces/second'), join(home.path, 'spaces/third'));
  await becomes(() => run(host, 'third.hi'), 'hi');
  await becomes(() => run(host, 'second.hi'), 'PEG_TOOL_NOT_FOUND');
  await rm(join(home.path, 'spaces'), { recursive: true });
  await becomes(() => run(host, 'third.hi'), 'PEG_TOOL_NOT_FOUND');
});

test('a hook that is written while the host runs judges the next call', async () => {
  await using opened = await open();
  const { home, host } = opened;
  const agent = 'hooks:\n  pre_tool:\n    - match: demo.hello\n      command: echo "not now" >&2; exit 2\n';
  await home.write('spaces/demo/agent/agent.yaml', agent);
  await becomes(() => run(host, 'hello'), 'PEG_DENIED');
  await rm(join(home.path, 'spaces/demo/agent/agent.yaml'));
  await becomes(() => run(host, 'hello'), 'one');
});

test('a changed setting holds at once; a broken pegboard.yaml leaves the last good one in force', async () => {
  await using opened = await open();
  const { home, host } = opened;
  await home.write('pegboard.yaml', 'confirm: always\n');
  await becomes(() => run(host, 'hello'), 'PEG_NOBODY_TO_ASK');
  await home.write('pegboard.yaml', 'confirm: sometimes\n');
  await becomes(() => host.diagnostics.map(({ code }) => code), ['not-allowed']);
  expect(host.config.confirm).toBe('always');
  await home.write('pegboard.yaml', 'confirm: manifest\n');
  await becomes(() => run(host, 'hello'), 'one');
  expect(host.diagnostics).toEqual([]);
});

test('an MCP server that is written into the configuration is called, and is gone when it is taken out', async () => {
  await using opened = await open();
  const { home, host } = opened;
  const server = join(
    import.meta.dirname,
    '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
  );
  await home.write(
    '.mcp.json',
    JSON.stringify({ mcpServers: { every: { command: process.execPath, args: [server] } } }),
  );
  await becomes(() => host.servers.all.map(({ module }) => module), ['every']);
  await host.servers.settled();
  const echoed = await host.dispatch({
    name: 'every.echo',
    args: { message: 'hi' },
    scope: host.scopeFor(undefined),
    caller: 'test',
  });
  expect(textOf(echoed)).toContain('hi');
  // Half a save.
  await home.write('.mcp.json', '{"mcpServers": {');
  await becomes(() => host.diagnostics.map(({ path }) => path), [home.path + '/.mcp.json']);
  expect(host.registry.snapshot.find('every.echo')).toBeDefined();
  await home.write('.mcp.json', '{}');
  await becomes(() => host.registry.snapshot.find('every.echo'), undefined);
  expect(host.diagnostics).toEqual([]);
});

test('a home that is removed while the host runs costs its tools, not the host', async () => {
  await using opened = await open();
  const { home, host } = opened;
  await rm(home.path, { recursive: true });
  await becomes(() => run(host, 'hello'), 'PEG_TOOL_NOT_FOUND');
  expect(host.registry.snapshot.find('read')).toBeDefined();
});

test('a change of the local settings is applied as one of pegboard.yaml is', async () => {
  await using opened = await open({ 'pegboard.yaml': 'presets: { mine: { tools: ["demo.*"] } }\n' });
  const { home, host } = opened;
  await home.write('pegboard.local.yaml', 'presets: { other: { tools: ["demo.*"] } }\n');
  await becomes(() => [...host.config.presets.keys()], ['mine', 'other']);
});
