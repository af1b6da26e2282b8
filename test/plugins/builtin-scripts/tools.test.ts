import { afterAll, expect, test, vi } from 'vitest';
import type { Ask } from '../../../host/api/ask.ts';
import type { CallRequest } from '../../../host/api/dispatch.ts';
import type { TurnContext } from '../../../host/api/conversation.ts';
import type { Tool } from '../../../host/api/tool.ts';
import type { ToolResult } from '../../../host/api/result.ts';
import { createMetaSource } from '../../../host/meta/source.ts';
import { scriptTools } from '../../../plugins/builtin-scripts/tools.ts';
import { type ScriptLimits } from '../../../plugins/builtin-scripts/sandbox/limits.ts';
import { defaultScriptLimits } from '../../kit/script-limits.ts';
import { createScriptRunner } from '../../../plugins/builtin-scripts/script-runner.ts';
import type { AuditLine } from '../../../host/store/audit.ts';
import { originsOf } from '../../../host/core/foreign/untrusted.ts';
import { textOf } from '../../../host/tools/result.ts';
import { kernel } from '../../kit/dispatch.ts';
import { echoTool, hangingTool } from '../../kit/source.ts';

const opened: AsyncDisposable[] = [];
afterAll(() => Promise.all(opened.map((one) => one[Symbol.asyncDispose]())));

type Options = NonNullable<Parameters<typeof kernel>[1]>;

async function withTools(tools: readonly Tool[], options: Options = {}, limits: Partial<ScriptLimits> = {}) {
  const audit: AuditLine[] = [];
  const scripts = createScriptRunner(
    {
      dispatch: (request) => made.dispatch(request),
      snapshot: () => made.registry.snapshot,
      holdsSecret: () => false,
      search: async () => [...made.registry.snapshot.tools.values()].map((tool) => ({ tool, score: 1 })),
    },
    () => ({ ...defaultScriptLimits, ...limits }),
  );
  opened.push(scripts);
  const made = await kernel(tools, {
    ...options,
    audit: { record: (line) => audit.push(line) },
  });
  const services = {
    snapshot: () => made.registry.snapshot,
    search: async () => [],
    dispatch: made.dispatch,
  };
  await made.registry.add(createMetaSource(services, scriptTools(scripts)));
  const run = (code: string, request: Partial<CallRequest> = {}): Promise<ToolResult> =>
    made.call('run_script', { code }, request);
  return { ...made, run, audit };
}

const accept: Ask = async () => ({ action: 'accept', content: { answer: 'once' } });
const id = { type: 'object', properties: { id: { type: 'string' } } } as const;
const remove = (removed: unknown[] = []): Tool =>
  echoTool({ name: 'remove', confirm: true, parameters: id, execute: (args) => void removed.push(args) });

test('only what the script returns comes back, and each call is in the audit under it', async () => {
  const { run, audit } = await withTools([echoTool({ name: 'rows', execute: () => ({ rows: [1, 2, 3] }) })]);
  const result = await run(
    `const all = await Promise.all([1, 2].map(() => tools.memory.rows({})));\nreturn { sum: all.flatMap(({ rows }) => rows).reduce((a, b) => a + b) }`,
  );
  expect(result).toMatchObject({ content: [{ type: 'text', text: '{"sum":12}' }], structured: { sum: 12 } });
  const outer = audit.find(({ tool }) => tool.endsWith('run_script'))!;
  const inner = audit.filter(({ within }) => within === outer.id);
  expect(inner.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ['memory.rows', 'ok'],
    ['memory.rows', 'ok'],
  ]);
});

test('a value is the structured content, or JSON in the only text, or the text', async () => {
  const image = { type: 'image', data: 'iVBORw0=', mimeType: 'image/png' } as const;
  const { run } = await withTools([
    echoTool({
      name: 'structured',
      execute: () => ({ content: [{ type: 'text', text: 'read me' }], structured: { a: 1 } }),
    }),
    echoTool({ name: 'json', execute: () => '[1, 12345678901234567890]' }),
    echoTool({ name: 'prose', execute: () => 'a\nb' }),
    echoTool({ name: 'look', execute: () => ({ content: [{ type: 'text', text: 'a cat' }, image] }) }),
    echoTool({ name: 'long', execute: () => JSON.stringify('x'.repeat(100_000).split('')) }),
  ]);
  const result = await run(
    `return [await call('structured'), await call('json'), await call('prose'), await call('look'), (await call('long')).length]`,
  );
  expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual([
    { a: 1 },
    [1, '12345678901234567890'],
    'a\nb',
    'a cat',
    100_000,
  ]);
  expect(result.content[1]).toEqual(image);
});

test('a failure says where, why, and what the script had done', async () => {
  const { run } = await withTools([
    echoTool({ name: 'good', execute: () => 'done' }),
    echoTool({ name: 'bad', execute: () => Promise.reject(new Error('the disk is full')) }),
  ]);
  const result = await run(`console.log('starting');\nawait call('good');\nawait call('bad');`);
  expect(result.error).toMatchObject({
    code: 'PEG_SCRIPT_FAILED',
    data: {
      line: 3,
      calls: [
        { tool: 'memory.good', outcome: 'ok' },
        { tool: 'memory.bad', outcome: 'PEG_TOOL_FAILED' },
      ],
    },
  });
  expect(result.error?.message).toBe(
    'The script failed at line 3: ToolError: the disk is full (PEG_TOOL_FAILED)\nIt had made 2 calls:\n- memory.good: ok, 16 characters\n- memory.bad: PEG_TOOL_FAILED, 83 characters\nLogged:\nstarting',
  );
});

test('a script can react to any failure of a call', async () => {
  const { run } = await withTools(
    [
      remove(),
      echoTool({ name: 'denied' }),
      echoTool({ name: 'strict', parameters: { ...id, required: ['id'] } }),
    ],
    {
      hooks: [
        {
          name: 'rules',
          hooks: { preTool: { tools: 'memory.denied', handler: () => ({ deny: 'not today' }) } },
        },
      ],
    },
  );
  const codes = `const codes = [];
    for (const [name, args] of [['denied'], ['strict', {}], ['strikt', {}], ['remove', {}], ['run_script', { code: 'return 1' }]])
      try { codes.push(await call(name, args)); } catch ({ code, stage }) { codes.push(code + ' ' + stage); }
    return codes`;
  expect(JSON.parse(textOf(await run(codes)))).toEqual([
    'PEG_DENIED authorize',
    'PEG_INVALID_ARGUMENTS validate',
    'PEG_TOOL_NOT_FOUND resolve',
    'PEG_NOBODY_TO_ASK confirm',
    'PEG_INVALID_ARGUMENTS execute',
  ]);
});

test('questions of parallel calls come one at a time, and cost the script no time', async () => {
  const removed: unknown[] = [];
  const { run } = await withTools([remove(removed)], {}, { cpu: 1, concurrency: 1 });
  let open = 0;
  const waiting = Promise.withResolvers<void>();
  const ask: Ask = async (question, signal) => {
    expect(++open).toBe(1);
    await waiting.promise;
    open--;
    return await accept(question, signal);
  };
  const asking = run(
    `await Promise.all(['a', 'b', 'c'].map((id) => call('remove', { id }))); return 'removed'`,
    { ask },
  );
  await expect.poll(() => open).toBe(1);
  // The only place is free while the first waits for a person.
  expect(textOf(await run('return 1'))).toBe('1');
  waiting.resolve();
  expect(textOf(await asking)).toBe('removed');
  expect(removed).toHaveLength(3);
});

test('an answer after ten minutes changes nothing', async () => {
  const outcomeOf = async (answer: Ask): Promise<unknown> => {
    const choose = echoTool({
      name: 'choose',
      parameters: id,
      execute: async (_args, { ask, signal }) => (await ask({ message: 'Which?' }, signal)).action,
    });
    const { run } = await withTools([choose], {}, { cpu: 1 });
    const result = await run(
      // One after the other: the clock must not leap while the script works.
      `const codes = []; for (const id of ['a', 'b']) codes.push(await call('choose', { id }));\nreturn codes`,
      { ask: answer },
    );
    return result;
  };
  const atOnce = await outcomeOf(accept);
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  try {
    const late = await outcomeOf(async (question, signal) => {
      await vi.advanceTimersByTimeAsync(10 * 60_000);
      return await accept(question, signal);
    });
    expect(late).toEqual(atOnce);
    expect(late).toMatchObject({ content: [{ text: '["accept","accept"]' }] });
  } finally {
    vi.useRealTimers();
  }
});

test('what a person declined is not asked again', async () => {
  const { run } = await withTools([remove()]);
  let asked = 0;
  const ask: Ask = async () => {
    asked++;
    return { action: 'decline' };
  };
  const code = `const codes = []; for (const id of ['a', 'a', 'b', 'a']) try { await call('remove', { id }); } catch ({ code }) { codes.push(code); } return codes.join()`;
  expect(textOf(await run(code, { ask }))).toBe('PEG_DECLINED,PEG_DECLINED,PEG_DECLINED,PEG_DECLINED');
  expect(asked).toBe(2);
  const turn = {
    agent: 'test',
    conversation: { source: 'test', id: 1, externalId: 'x' },
    message: {},
    untrusted: { origins: [], note() {} },
  } as unknown as TurnContext;
  const pay = echoTool({
    name: 'pay',
    confirm: true,
    parameters: {
      type: 'object',
      properties: {
        to: { type: 'string' },
        sum: { type: 'number' },
        currency: { type: 'string', default: 'EUR' },
      },
    },
  });
  const { run: runIn } = await withTools([pay]);
  for (const args of ['{ to: "a", sum: 1 }', '{ sum: 1, to: "a" }', '{ sum: 1, currency: "EUR", to: "a" }'])
    expect((await runIn(`await call('pay', ${args})`, { turn, ask })).error?.message).toContain(
      'PEG_DECLINED',
    );
  expect(asked).toBe(3);
});

test('what others wrote marks the result of the script, and guards its later calls', async () => {
  const origin = { kind: 'web', what: 'https://example.com' } as const;
  const { run } = await withTools([
    echoTool({ name: 'page', untrusted: origin, annotations: { readOnlyHint: true }, execute: () => 'obey' }),
    echoTool({ name: 'keep', guarded: true }),
  ]);
  expect(originsOf(await run(`return await call('page')`))).toEqual([origin]);
  const noted: unknown[] = [origin];
  const turn = {
    agent: 'test',
    conversation: { source: 'test', id: 1, externalId: 'x' },
    message: {},
    untrusted: { origins: noted, note: (one: unknown) => void noted.push(one) },
  } as unknown as TurnContext;
  const questions: string[] = [];
  const ask: Ask = async ({ message }) => {
    questions.push(message);
    return { action: 'decline' };
  };
  const result = await run(`await call('page'); await call('keep', { text: 'x' })`, { turn, ask });
  expect(result.error?.message).toContain('PEG_DECLINED');
  expect(questions).toEqual([expect.stringContaining('web page of example.com')]);
});

test('a script gets no value of a secret, and passes none on', async () => {
  const { run, redactor } = await withTools([
    echoTool({ name: 'leak', execute: () => ({ token: 'sk-abcdef0123456789' }) }),
    echoTool({
      name: 'login',
      parameters: { type: 'object', properties: { password: { type: 'string', writeOnly: true } } },
      execute: () => 'in',
    }),
  ]);
  redactor.add('TOKEN', 'sk-abcdef0123456789');
  const letters = await run(`return [...(await call('leak')).token].reverse().join('')`);
  expect(textOf(letters).split('').toReversed().join('')).not.toContain('abcdef');
  expect((await run(`await call('login', { password: 'hunter2' })`)).error?.message).toContain(
    'takes a secret',
  );
});

test('what nobody awaited or handled is named with its error', async () => {
  const pays: string[] = [];
  const { run } = await withTools([
    remove(),
    echoTool({ name: 'strict', parameters: { ...id, required: ['id'] } }),
    echoTool({ name: 'pay', execute: () => void pays.push('paid') }),
  ]);
  const ask: Ask = async () => ({ action: 'decline' });
  const unawaited = await run(`call('remove', { id: 'a' }); call('pay'); return 'paid'`, { ask });
  expect(unawaited.content.map((block) => (block as { text: string }).text)).toEqual([
    'paid',
    '2 calls had not been awaited when the script returned:\n- memory.remove: PEG_DECLINED\n- memory.pay: ok',
  ]);
  const code = `const bad = call('strict', {}); const late = call('strict', {}); await Promise.allSettled([call('strict', {}), call('pay')]);
    late.catch(() => {}); (async () => { throw new Error('lost'); })(); return 'paid'`;
  const unhandled = textOf(await run(code, { ask }));
  expect(unhandled).toContain(
    '2 errors had not been handled:\n- strict: PEG_INVALID_ARGUMENTS: The arguments',
  );
  expect(unhandled).toContain('- Error: lost (line 2)');
});

test('a failure says of each cancelled call whether it took effect', async () => {
  const begun = Promise.withResolvers<void>();
  const stoppable = (name: string, more: Partial<Tool> = {}): Tool =>
    echoTool({
      name,
      ...more,
      execute: (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          begun.resolve();
        }),
    });
  const { run } = await withTools([
    stoppable('pay'),
    stoppable('read', { annotations: { readOnlyHint: true } }),
    remove(),
    echoTool({ name: 'fail', execute: () => begun.promise.then(() => Promise.reject(new Error('no'))) }),
  ]);
  const ask: Ask = (_question, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const result = await run(
    `await Promise.all(['pay', 'read', 'remove', 'fail'].map((name) => call(name, {})))`,
    { ask },
  );
  expect(result.error?.message).toMatch(/pay: PEG_CANCELLED, and whether it took effect is unknown,/);
  expect(result.error?.message).toMatch(/read: PEG_CANCELLED, \d/);
  expect(result.error?.message).toMatch(/remove: PEG_CANCELLED, it was not run,/);
});

test('a secret that a script calls as a tool is not in the audit', async () => {
  const { run, audit, redactor } = await withTools([]);
  redactor.add('TOKEN', 'sk-abcdef0123456789');
  await run(`await call('x'.repeat(90) + ['sk-abcdef', '0123456789'].join(''))`);
  expect(JSON.stringify(audit)).not.toContain('sk-abcd');
});

test('cancelling stops the script and its calls', async () => {
  const controller = new AbortController();
  const stopped: unknown[] = [];
  const hang = hangingTool(controller, stopped);
  const { run } = await withTools([hang]);
  const result = await run(`await Promise.all([1, 2].map((n) => call('hang', { n })))`, {
    signal: controller.signal,
  });
  expect(result.error).toMatchObject({ code: 'PEG_CANCELLED', message: expect.stringContaining('2 calls') });
  expect(stopped).toEqual([{ n: 1 }, { n: 2 }]);
});

test('run_read_only_script refuses what may change something', async () => {
  const { call } = await withTools([
    echoTool({ name: 'read', annotations: { readOnlyHint: true } }),
    echoTool({ name: 'write' }),
  ]);
  expect(textOf(await call('run_read_only_script', { code: `return await call('read', { a: 1 })` }))).toBe(
    '{"a":1}',
  );
  const refused = await call('run_read_only_script', { code: `await call('write', {})` });
  expect(refused.error?.message).toContain('memory.write may change something (risk medium)');
});

test('a script finds tools, and how they are called', async () => {
  const get = echoTool({
    name: 'get',
    description: 'Get one order.\nLong explanation.',
    parameters: {
      type: 'object',
      properties: {
        order_id: { type: 'string', description: 'As in the shop' },
        parts: { type: 'array', items: { enum: ['a', 'b'] } },
      },
      required: ['order_id'],
    },
    outputSchema: {
      type: 'object',
      properties: { total: { type: ['number', 'null'] } },
      required: ['total'],
      additionalProperties: false,
    },
  });
  const { run } = await withTools([get]);
  const declared =
    '/** Get one order. */\ntools.memory.get(args: { /** As in the shop */ order_id: string; parts?: ("a" | "b")[] }): Promise<{ total: number | null }>';
  expect(textOf(await run(`return await tools.$types('get')`))).toBe(declared);
  expect(JSON.parse(textOf(await run(`return (await tools.$search('an order')).at(-1)`)))).toEqual({
    name: 'memory.get',
    description: 'Get one order.\nLong explanation.',
    types: declared,
  });
});

test('code in a fence or a function is run as well', async () => {
  const { run } = await withTools([]);
  expect(textOf(await run('```ts\nreturn 1\n```'))).toBe('1');
  expect(textOf(await run('async () => {\n  return 2;\n}'))).toBe('2');
});
