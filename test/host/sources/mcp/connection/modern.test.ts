import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UpstreamEvent } from '../../../../../host/api/mcp/upstream.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { startModern } from '../../../../kit/mcp/mcp-http.ts';
import { caller, createMcpLab, fixture, until } from '../../../../kit/mcp/mcp-source.ts';
import type { McpSource } from '../../../../../host/sources/mcp/mcp-source.ts';

interface Opened extends AsyncDisposable {
  readonly source: McpSource;
  /** Resolves when the server has printed this to stderr. */
  readonly printed: (text: string) => Promise<unknown>;
}

async function overStdio(): Promise<Opened> {
  const lab = await createMcpLab();
  return {
    source: lab.open('modern', fixture('modern')),
    printed: (text) => lab.logged(({ message }) => message.includes(text)),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

async function overHttp(): Promise<Opened> {
  const lab = await createMcpLab();
  const server = await startModern();
  return {
    source: lab.open('modern', { url: `http://127.0.0.1:${server.port}/mcp` }),
    printed: (text) => server.printed(text),
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const nextEvent = (source: McpSource): Promise<UpstreamEvent> =>
  new Promise((resolve) => {
    const listening = source.onEvent((event) => {
      listening[Symbol.dispose]();
      resolve(event);
    });
  });

describe.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
])('a server of the 2026-07-28 protocol over %s', (_, open) => {
  test('is recognised, listed and called', async () => {
    await using opened = await open();
    const { source } = opened;
    await source.connect();
    expect(source.status()).toMatchObject({
      state: 'ready',
      era: 'modern',
      serverInfo: { name: 'modern-fixture' },
    });
    const result = await source.callTool('echo', { text: 'grüße' }, caller());
    expect(result).toEqual({ content: [{ type: 'text', text: 'grüße' }] });
    expect(await source.listResources()).toMatchObject([{ uri: 'test://one', name: 'one' }]);
    expect(await source.readResource('test://one', {})).toMatchObject({
      contents: [{ uri: 'test://one', text: 'content' }],
    });
    expect(await source.listPrompts()).toMatchObject([{ name: 'greet' }]);
    expect(JSON.stringify(await source.getPrompt('greet', { name: 'Ada' }, {}))).toContain('Greet Ada');
  });

  test('asks the caller by answering that it needs input', async () => {
    await using opened = await open();
    const { source } = opened;
    const ada = caller({ answer: { action: 'accept', content: { name: 'Ada' } } });
    expect(JSON.parse(textOf(await source.callTool('ask', {}, ada)))).toEqual({
      action: 'accept',
      content: { name: 'Ada' },
    });
    expect(ada.questions).toMatchObject([{ message: 'modern asks: Who are you?' }]);
    expect(JSON.parse(textOf(await source.callTool('url', {}, ada)))).toEqual({ action: 'accept' });
    expect(ada.questions[1]).toMatchObject({ url: 'https://example.com/login' });
    expect(JSON.parse(textOf(await source.callTool('ask', {}, caller())))).toEqual({ action: 'decline' });
  });

  test('is refused what its entry does not allow', async () => {
    await using opened = await open();
    await expect(opened.source.callTool('sample', {}, caller())).rejects.toMatchObject({
      code: 'PEG_SERVER_ERROR',
    });
  });

  test('reports progress and receives cancellations', async () => {
    await using opened = await open();
    const { source, printed } = opened;
    const someone = caller();
    await source.callTool('count', {}, someone);
    expect(someone.steps.map(({ progress }) => progress)).toEqual([1, 2, 3]);
    const controller = new AbortController();
    const waiting = source.callTool('wait', {}, caller({ signal: controller.signal }));
    // Cancelled after it has begun: a second call is answered after the first was received.
    await source.callTool('echo', { text: 'x' }, caller());
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await printed('cancelled');
  });

  test('announces changes of its tools and of subscribed resources', async () => {
    await using opened = await open();
    const { source } = opened;
    await source.connect();
    await source.callTool('grow', {}, caller());
    await until(source, async () => (await source.list()).tools.some(({ name }) => name === 'late'));
    await source.subscribe('test://one');
    const event = nextEvent(source);
    await source.callTool('touch', {}, caller());
    expect(await event).toEqual({ type: 'resource_updated', uri: 'test://one' });
  });
});

test('what is known of its protocol is used at the next start, without asking', async () => {
  await using lab = await createMcpLab();
  const first = lab.open('modern', fixture('modern'));
  await first.connect();
  await first[Symbol.asyncDispose]!();
  const second = lab.open('modern', fixture('modern'));
  expect(second.status()).toMatchObject({ state: 'idle', era: 'modern', tools: 8 });
  expect(textOf(await second.callTool('echo', { text: 'x' }, caller()))).toBe('x');
});

test('a server that was replaced by an older one is asked again', async () => {
  await using lab = await createMcpLab();
  const program = join(lab.data, 'server.ts');
  const run = (name: string): Promise<void> =>
    writeFile(program, `await import(${JSON.stringify(fixture(name).args![0])});`);
  const open = () => lab.open('replaced', { command: process.execPath, args: [program] });
  await run('modern');
  const first = open();
  await first.connect();
  expect(first.status().era).toBe('modern');
  await first[Symbol.asyncDispose]!();
  await run('echoes');
  const second = open();
  await second.connect();
  expect(second.status().era).toBe('legacy');
});
