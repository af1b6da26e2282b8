import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { listen } from '../../../../host/testing/http-server.ts';
import { homeWithAnswers, serveKnown, serveRaw } from '../../../kit/mcp/verbatim.ts';

const echo = { name: 'echo', description: 'Echoes', inputSchema: { type: 'object' } };
const answers = {
  'tools/list': JSON.stringify({ tools: [echo] }),
  'resources/list': JSON.stringify({ resources: [{ uri: 'x://one', name: 'one' }] }),
  'resources/subscribe': 'silent',
};
const good = `good: { command: ${process.execPath}, args: [${join(import.meta.dirname, '../../../fixtures/mcp/echoes.ts')}] }`;

test('a tool of a server that is down says so, and names no other tool', async () => {
  await using home = await createHome();
  await home.write('pegboard.yaml', `mcpServers:\n  ${good}\n  down: { command: no-such-program-here }\n`);
  await using client = await serveRaw(home);
  for (const name of ['down__echo', 'mcp__down__echo', 'down.echo']) {
    const { result } = await client.request('tools/call', { name, arguments: {} });
    expect(result, name).toMatchObject({ isError: true });
    expect(result.content[0].text).toContain('no-such-program-here');
    expect(result.content[0].text).not.toContain('Did you mean');
  }
  const called = await pegboard(['call', 'down.echo'], { home: home.path });
  expect(called.stderr).toContain('no-such-program-here');
});

test('a tool that is pending approval says so, and how to approve it', async () => {
  await using home = await homeWithAnswers(answers);
  await (await serveRaw(home))[Symbol.asyncDispose]();
  const changed = {
    ...answers,
    'tools/list': JSON.stringify({ tools: [{ ...echo, description: 'Changed' }] }),
  };
  await home.write('answers.json', JSON.stringify(changed));
  await pegboard(['mcp', 'list'], { home: home.path });
  await using client = await serveKnown(home);
  const { result } = await client.request('tools/call', { name: 'up__echo', arguments: {} });
  expect(result).toMatchObject({ isError: true });
  expect(result.content[0].text).toContain('pegboard mcp approve up echo');
});

test('a subscription that a server never answers has a time limit', async () => {
  await using home = await homeWithAnswers(answers, { config: { timeout: 1 } });
  await using client = await serveRaw(home);
  const { error } = await client.request('resources/subscribe', { uri: 'x://one' });
  expect(error?.message).toContain('resources/subscribe timed out after 1 s');
});

test.each([
  ['an error', 'error {"code":-32603,"message":"boom"}', 'boom'],
  ['silence', 'silent', 'timed out after 4 s'],
])('a list of tools that fails with %s says that it was tools/list', async (_, answer, why) => {
  await using home = await homeWithAnswers({ 'tools/list': answer }, { config: { connectTimeout: 4 } });
  const { stdout } = await pegboard(['mcp', 'list', '--json'], { home: home.path });
  const { servers } = JSON.parse(stdout) as { servers: { error: string }[] };
  expect(servers[0]!.error).toContain('tools/list');
  expect(servers[0]!.error).toContain(why);
});

test('failures over HTTP are reported in plain words', async () => {
  await using page = await listen((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'),
  );
  await using gone = await listen(() => {});
  const { url } = gone;
  await gone[Symbol.asyncDispose]();
  for (const [address, words] of [
    [url, 'nothing listens at'],
    ['http://127.0.0.1:6000/mcp', 'refuse to connect to its port'],
    [page.url, 'its answer is not valid JSON'],
  ] as const) {
    await using home = await createHome({ 'pegboard.yaml': `mcpServers: { up: { url: "${address}" } }` });
    const { stdout } = await pegboard(['mcp', 'list', '--json'], { home: home.path });
    expect((JSON.parse(stdout) as { servers: { error: string }[] }).servers[0]!.error).toContain(words);
  }
});

test('mcp list shows the entries that are not right', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'mcpServers: { odd: { comand: x } }' });
  const shown = await pegboard(['mcp', 'list'], { home: home.path });
  expect(`${shown.stdout}${shown.stderr}`).toContain('MCP server "odd"');
  const { invalid } = await pegboardJson<{ invalid: { message: string }[] }>(['mcp', 'list'], {
    home: home.path,
  });
  expect(invalid[0]!.message).toContain('"odd"');
});

const leftOut = { name: 'gone', description: 'x', inputSchema: { type: 'string' } };
test.each([
  ['a tool', { tools: [echo, leftOut] }, 'up__gone', /"gone" is left out/],
  ['a list that is none', { tools: { a: 1 } }, 'up__echo', /has no list of tools/],
  ['a list that never ends', { tools: [echo], nextCursor: 'x' }, 'up__other', /same cursor twice/],
])(
  'what is left out says so by its name, in the list of servers and to lint: %s',
  async (_, list, name, why) => {
    await using home = await homeWithAnswers({ ...answers, 'tools/list': JSON.stringify(list) });
    const listed = await pegboard(['mcp', 'list'], { home: home.path });
    expect(listed.stdout).toMatch(/^up +ready, with problems/m);
    expect(listed.stdout.replaceAll(/\s+/g, ' ')).toMatch(why);
    expect(listed.stdout).not.toContain('" :');
    expect((await pegboard(['lint'], { home: home.path })).stdout).toMatch(why);
    const called = await pegboard(['call', name.replace('__', '.')], { home: home.path });
    expect(called.stderr).toMatch(why);
    await using client = await serveKnown(home);
    const { result } = await client.request('tools/call', { name, arguments: {} });
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toMatch(why);
    expect(result.content[0].text).not.toContain('Did you mean');
  },
);

test('the tools of one server come with what is wrong with it, and not with the others', async () => {
  await using home = await createHome();
  const bad = (name: string): string => `${name}: { command: no-such-${name} }`;
  await home.write('pegboard.yaml', `mcpServers:\n  ${good}\n  ${bad('one')}\n  ${bad('two')}\n`);
  expect((await pegboard(['tools', 'good'], { home: home.path })).stderr).not.toContain('no-such');
  const { stderr } = await pegboard(['tools', 'one'], { home: home.path });
  expect(stderr).toContain('no-such-one');
  expect(stderr).not.toContain('no-such-two');
  expect((await pegboard(['tools'], { home: home.path })).stderr).toContain('no-such-two');
});
