import { expect, test } from 'vitest';
import type { Ask } from '../../../../../host/api/ask.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { caller, createMcpLab, fixture } from '../../../../kit/mcp/mcp-source.ts';
import { createMovedClock } from '../../../../kit/moved-clock.ts';
import { kernel } from '../../../../kit/dispatch.ts';

test('every step of progress arrives, also those that come together with the result', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('steps', fixture('progresses'));
  const someone = caller();
  expect(textOf(await source.callTool('count', {}, someone))).toBe('counted');
  expect(someone.steps).toEqual([
    { progress: 1, total: 3 },
    { progress: 2, total: 3 },
    { progress: 3, total: 3 },
  ]);
});

test('a step whose message is long has its beginning and end', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('steps', fixture('progresses'));
  const someone = caller();
  await source.callTool('count', { message: `begins ${'x'.repeat(9_000_000)} ends` }, someone);
  const { message } = someone.steps[0]!;
  expect(message).toMatch(/^begins x+…x+ ends$/);
  expect(message).toHaveLength(4_000);
});

test('a cancelled call ends at once, and the server is notified', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('steps', fixture('progresses'));
  const controller = new AbortController();
  const call = source.callTool(
    'wait',
    {},
    caller({ signal: controller.signal, progress: () => controller.abort(new Error('enough')) }),
  );
  await expect(call).rejects.toThrow('enough');
  await lab.logged(({ message }) => message === 'cancelled: Error: enough');
});

test('a call that takes longer than its time limit is reported as such', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('steps', { ...fixture('progresses'), timeout: 0.5 });
  await source.connect();
  const { call } = await kernel(source);
  expect((await call('steps.wait')).error).toMatchObject({ code: 'PEG_TIMEOUT', stage: 'execute' });
  await lab.logged(({ message }) => message.startsWith('cancelled: TimeoutError'));
});

test("the caller's _meta reaches the server, but not what belongs to the caller's own connection", async () => {
  await using lab = await createMcpLab();
  const source = lab.open('steps', fixture('progresses'));
  const meta = {
    'example/trace': '1',
    progressToken: 'theirs',
    'io.modelcontextprotocol/clientInfo': { name: 'someone' },
  };
  const seen = JSON.parse(textOf(await source.callTool('meta', {}, caller({ meta })))) as object;
  expect(seen).toEqual({ 'example/trace': '1', progressToken: expect.any(Number) as number });
});

test("a server's question reaches the caller, as a form or as a page to visit", async () => {
  await using lab = await createMcpLab();
  const source = lab.open('asking', fixture('asks'));
  const ada = caller({ answer: { action: 'accept', content: { name: 'Ada' } } });
  expect(JSON.parse(textOf(await source.callTool('form', {}, ada)))).toEqual({
    action: 'accept',
    content: { name: 'Ada' },
  });
  expect(ada.questions).toEqual([
    {
      message: 'asking asks: Who are you?',
      schema: { type: 'object', properties: { name: { type: 'string' } } },
    },
  ]);
  expect(JSON.parse(textOf(await source.callTool('url', {}, ada)))).toEqual({ action: 'accept' });
  expect(ada.questions[1]).toEqual({ message: 'asking asks: Log in', url: 'https://example.com/login' });
  expect(JSON.parse(textOf(await source.callTool('form', {}, caller())))).toEqual({ action: 'decline' });
});

test('a question that may belong to calls of different people reaches none of them', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('asking', fixture('asks'));
  await source.connect();
  const controller = new AbortController();
  const someone = caller({ caller: 'mcp:cursor', signal: controller.signal });
  const waiting = source.callTool('wait', {}, someone).catch(() => {});
  const ada = caller({ caller: 'mcp:claude-code', answer: { action: 'accept', content: { name: 'Ada' } } });
  const { content } = await source.callTool('form', {}, ada);
  expect(JSON.parse(textOf({ content: content.slice(0, 1) }))).toEqual({ action: 'decline' });
  expect(textOf({ content: content.slice(1) })).toContain('scope: session');
  expect([...ada.questions, ...someone.questions]).toEqual([]);
  controller.abort();
  await waiting;
});

test('the time that a person takes to answer a server does not count against the time limit', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('asking', { ...fixture('asks'), timeout: 1 });
  await source.connect();
  const clock = createMovedClock();
  const { call } = await kernel(source, { clock });
  const answerLate: Ask = () => {
    clock.pass(1_200);
    return Promise.resolve({ action: 'accept', content: {} });
  };
  const result = await call('asking.form', {}, { ask: answerLate });
  expect(result.error).toBeUndefined();
});

test('only admitted tools are listed, and confirmation is asked where the configuration says so', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('steps', {
    ...fixture('progresses'),
    allow: ['co*', 'meta', 'wait'],
    block: ['w*'],
    confirm: ['co*'],
    timeout: 7,
  });
  await source.connect();
  const { tools } = await source.list();
  expect(tools.map(({ name, confirm, timeout }) => ({ name, confirm, timeout }))).toEqual([
    { name: 'count', confirm: true, timeout: 7 },
    { name: 'meta', confirm: false, timeout: 7 },
  ]);
  const { call } = await kernel(source);
  expect((await call('steps.count')).error?.code).toBe('PEG_NOBODY_TO_ASK');
});
