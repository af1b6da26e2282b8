import { expect, test } from 'vitest';
import { createRequestIds } from '../../../../../host/sources/mcp/transport/stdio/request-ids.ts';
import type { Clock } from '../../../../../host/api/surroundings.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { caller, createMcpLab, fixture, until } from '../../../../kit/mcp/mcp-source.ts';
import { createMovedClock } from '../../../../kit/moved-clock.ts';
import type { McpSource } from '../../../../../host/sources/mcp/mcp-source.ts';

/** A well-behaved server next to every bad one. */
async function withNeighbour(clock?: Clock) {
  const lab = await createMcpLab(clock);
  const neighbour = lab.open('good', fixture('echoes'));
  await neighbour.connect();
  return { lab, neighbour, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}

const echo = async (source: McpSource, text: string): Promise<string> =>
  textOf(await source.callTool('echo', { text }, caller()));

async function codesOf(source: McpSource): Promise<string[]> {
  return (await source.list()).diagnostics!.map(({ code }) => code);
}

test('a server that never answers is given up after its own time limit, and its neighbour answers meanwhile', async () => {
  const clock = createMovedClock();
  await using at = await withNeighbour(clock);
  const source = at.lab.open('silent', { ...fixture('never-answers'), connectTimeout: 1 });
  const connecting = source.connect().catch((cause: Error) => cause);
  expect(await echo(at.neighbour, 'still here')).toBe('still here');
  expect(source.status().state).toBe('connecting');
  clock.pass(1_000);
  expect(await connecting).toMatchObject({
    code: 'PEG_SERVER_UNAVAILABLE',
    message: expect.stringContaining('it did not answer within 1 s') as string,
  });
  expect(source.status()).toMatchObject({ state: 'failed', tools: 0 });
  expect(await codesOf(source)).toEqual(['peg-server-unavailable']);
});

test('what a server that never answers wrote to stderr is said', async () => {
  const clock = createMovedClock();
  await using lab = await createMcpLab(clock);
  const script = 'console.error("retrying: the certificate is not trusted"); setInterval(() => {}, 1000)';
  const source = lab.open('waiting', { command: process.execPath, args: ['-e', script] });
  const connecting = source.connect();
  connecting.catch(() => {});
  await lab.logged(({ message }) => message.includes('retrying'));
  clock.pass(30_000);
  await expect(connecting).rejects.toThrow(
    'it did not answer within 30 s; its last words: retrying: the certificate is not trusted.',
  );
});

test('a server that exits at once says with which code and which last words', async () => {
  await using at = await withNeighbour();
  const source = at.lab.open('broken', fixture('exits-at-once'));
  await expect(source.connect()).rejects.toThrow(
    'MCP server "broken" is not available: its process exited with code 3; its last words: cannot open the database.',
  );
  expect(await echo(at.neighbour, 'x')).toBe('x');
});

test('a program that does not exist is named, with what to do', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('missing', { command: 'no-such-program-at-all' });
  await expect(source.connect()).rejects.toMatchObject({
    code: 'PEG_PROGRAM_NOT_FOUND',
    message: expect.stringContaining('there is no program "no-such-program-at-all"') as string,
  });
});

test('a folder that does not exist is named before anything starts', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('lost', { ...fixture('echoes'), cwd: 'nowhere' });
  await expect(source.connect()).rejects.toThrow(/its cwd .*nowhere is not a folder/);
});

test('a server that answers with garbage fails alone', async () => {
  const clock = createMovedClock();
  await using at = await withNeighbour(clock);
  const source = at.lab.open('garbage', fixture('answers-garbage'));
  const connecting = source.connect().catch((cause: Error) => cause);
  await until(source, async () => (await codesOf(source)).includes('mcp-stdout-garbage'));
  clock.pass(30_000);
  expect(await connecting).toMatchObject({
    code: 'PEG_SERVER_UNAVAILABLE',
    message: expect.stringMatching(
      /did not answer within 30 s: it sent .* not a JSON message in UTF-8/,
    ) as string,
  });
  expect(await echo(at.neighbour, 'x')).toBe('x');
});

test('a server that prints to stdout works, and is reported once', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('chatty', fixture('prints-to-stdout'));
  await source.connect();
  for (const text of ['a', 'b', 'c']) expect(await echo(source, text)).toBe(text);
  expect(await codesOf(source)).toEqual(['mcp-stdout-garbage']);
});

test('a server that floods is reported, and neither its own calls nor its neighbour starve', async () => {
  await using at = await withNeighbour();
  const source = at.lab.open('flooding', fixture('floods'));
  await source.connect();
  await source.callTool('flood', {}, caller());
  await until(source, async () => (await codesOf(source)).includes('mcp-flood'));
  expect(await echo(at.neighbour, 'calm')).toBe('calm');
  expect(await echo(source, 'through')).toBe('through');
});

test('a message of more than 16 MiB ends the connection and not the host', async () => {
  await using at = await withNeighbour();
  const source = at.lab.open('long', fixture('long-line'));
  await source.connect();
  await expect(source.callTool('long', { text: 'x' }, caller())).rejects.toThrow('more than 16 MiB');
  expect(await echo(at.neighbour, 'x')).toBe('x');
  expect(await echo(source, 'y')).toBe('y');
});

test('a list of 10,000 tools in pages is taken over whole', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('many', fixture('many-tools'));
  await source.connect();
  const { tools, diagnostics } = await source.list();
  expect(tools).toHaveLength(10_000);
  expect(tools[9_999]!.name).toBe('tool_9999');
  expect(diagnostics).toEqual([]);
});

test('a list without an end is cut off and reported', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('endless', fixture('endless-pages'));
  await source.connect();
  expect(source.status().tools).toBe(1_000);
  const { diagnostics } = await source.list();
  expect(diagnostics).toMatchObject([
    { code: 'mcp-list-cut', message: expect.stringContaining('1,000 pages') as string },
  ]);
});

test('malformed tools are left out one by one, each with its reason, and the others work', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('sloppy', fixture('malformed-tools'));
  await source.connect();
  const { tools, diagnostics } = await source.list();
  expect(tools.map(({ name }) => name)).toEqual([
    '__proto__',
    'with_space_b8b8f25a',
    'echo',
    'odd_description',
    'odd_output',
    'odd_pattern',
    'large',
  ]);
  expect(tools.find(({ name }) => name === 'echo')?.description).toBe('Answers with its text');
  const messages = diagnostics!.map(({ message }) => message);
  expect(messages.filter((message) => /: tool .* is left out:/.test(message))).toHaveLength(10);
  for (const part of [
    'tool number 1 is left out: it is not an object',
    'tool "" is left out: it has no name',
    'tool "no_schema" is left out: its inputSchema is not an object schema',
    'tool "too_deep" is left out: its definition is nested deeper than 64 levels',
    'lists "echo" more than once',
    'tool "odd_description": its description is left out: it is not as MCP defines it',
    'tool "odd_output": its outputSchema is left out',
    'tool "odd_pattern": its arguments are left to the server to check: properties.text.pattern has "^(?=a)b"',
    'tool "large": its arguments are left to the server to check: it has 10',
  ]) {
    expect(
      messages.some((message) => message.includes(part)),
      part,
    ).toBe(true);
  }
  expect(tools.map(({ validateArguments }) => validateArguments)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    false,
    false,
  ]);
  expect(await echo(source, 'works')).toBe('works');
});

test('hidden characters and terminal escapes are taken out of what people and models see, and reported', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('sly', fixture('hides-characters'));
  await source.connect();
  const { tools, diagnostics } = await source.list();
  expect(tools[0]).toMatchObject({
    title: 'Weather',
    description: 'Tells the weather.',
    parameters: { properties: { city: { description: 'A city', enum: ['Bern'] } } },
  });
  expect(diagnostics).toMatchObject([
    {
      code: 'mcp-odd-tool',
      message: expect.stringContaining('hidden characters were removed from title: U+200B') as string,
    },
  ]);
});

test('an answer that is no result fails its call at once and says so', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('odd', fixture('odd-results'));
  await source.connect();
  const failure = (tool: string): Promise<unknown> =>
    source.callTool(tool, {}, caller()).catch((cause: unknown) => cause);
  expect(await failure('null')).toMatchObject({
    code: 'PEG_SERVER_ERROR',
    message: 'MCP server "odd" answered tools/call with null instead of a result object.',
  });
  expect(await failure('number')).toMatchObject({ code: 'PEG_SERVER_ERROR' });
  expect(await failure('missing')).toMatchObject({ code: 'PEG_SERVER_ERROR' });
  expect(await failure('refused')).toMatchObject({
    code: 'PEG_SERVER_ERROR',
    message: 'MCP server "odd" refused tools/call: no way',
    data: { code: -32050, data: { retry: 5 } },
  });
});

test('content that MCP does not know becomes text, and everything else passes unchanged', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('odd', fixture('odd-results'));
  await source.connect();
  expect(await source.callTool('unknown_content', {}, caller())).toEqual({
    content: [
      { type: 'text', text: '{"type":"hologram","data":"x"}' },
      { type: 'text', text: '{"type":"text","text":5}' },
      { type: 'text', text: 'plain' },
      { type: 'text', text: 'ok', extra: 1 },
    ],
    structured: { a: 1 },
    meta: { 'example/key': [1] },
  });
  expect(await source.callTool('no_content', {}, caller())).toEqual({ content: [] });
  expect(await source.callTool('failed', {}, caller())).toEqual({
    content: [{ type: 'text', text: 'the disk is full' }],
    structured: { free: 0 },
    order: ['content', 'isError', 'structuredContent'],
    error: { code: 'PEG_TOOL_FAILED', stage: 'execute', message: 'the disk is full' },
  });
});

test('a server that ends at the first question it does not know is taken for an old one, and works', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('touchy', fixture('ends-when-asked'));
  await source.connect();
  expect(source.status().era).toBe('legacy');
  expect(await echo(source, 'x')).toBe('x');
});

test('a tool that is not there is refused with near names', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('good', fixture('echoes'));
  await expect(source.callTool('ecko', {}, caller())).rejects.toMatchObject({
    code: 'PEG_TOOL_NOT_FOUND',
    message: 'MCP server "good" has no tool "ecko". Did you mean echo?',
  });
});

test('nothing of a server is left running, not even what detached itself and ignores SIGTERM', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('forking', fixture('forks'));
  await source.connect();
  expect(lab.processes()).toHaveLength(3);
  await source[Symbol.asyncDispose]!();
  expect(lab.processes()).toEqual([]);
});

test('a server started through a shell ends with its whole tree', async () => {
  await using lab = await createMcpLab();
  const { command, args } = fixture('echoes');
  const source = lab.open('wrapped', { command: 'sh', args: ['-c', `"${command}" "${args![0]}"; true`] });
  await source.connect();
  expect(lab.processes()).toHaveLength(2);
  await source[Symbol.asyncDispose]!();
  expect(lab.processes()).toEqual([]);
});

test('a late answer to a call that was given up is not taken for one that nobody asked for', async () => {
  await using lab = await createMcpLab();
  const { command, args = [] } = fixture('answers-oddly');
  const source = lab.open('late', { command: command!, args: [...args, 'late'] });
  await source.connect();
  for (let time = 0; time < 3; time++) {
    const call = { ...caller(), signal: AbortSignal.timeout(300) };
    await expect(source.callTool('whoami', {}, call)).rejects.toMatchObject({ name: 'TimeoutError' });
  }
});

test('ids of requests that are given up do not pile up', () => {
  const asked = createRequestIds();
  for (let id = 0; id < 10_000; id++) {
    asked.sent({ id, method: 'tools/call' });
    if (id % 2 === 0) asked.sent({ method: 'notifications/cancelled', params: { requestId: id } });
    else expect(asked.isStray({ id: String(id), result: {} })).toBe(false);
  }
  expect(asked.size).toBe(1_000);
  expect([9_998, 9_998, 9_999].map((id) => asked.isStray({ id, result: {} }))).toEqual([false, true, true]);
});

test.each([
  ['wrong-id', /2 answers with an unknown request id/],
  ['two-on-a-line', /a line that is not a JSON message/],
  ['no-line-feed', /the beginning of a line that has not ended/],
  ['pretty-printed', /lines that are not a JSON message/],
  ['utf-16', /not a JSON message in UTF-8/],
])('a call that waits in vain says what came instead of an answer: %s', async (how, why) => {
  await using lab = await createMcpLab();
  const { command, args = [] } = fixture('answers-oddly');
  const source = lab.open('odd', { command: command!, args: [...args, how] });
  await source.connect();
  const call = { ...caller(), signal: AbortSignal.timeout(500) };
  await expect(source.callTool('whoami', {}, call)).rejects.toMatchObject({
    code: 'PEG_TIMEOUT',
    message: expect.stringMatching(why) as string,
  });
});
