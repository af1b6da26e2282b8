import { describe, expect, test } from 'vitest';
import type { Answer, Question } from '../../../host/api/ask.ts';
import type { ToolCall } from '../../../host/api/tool.ts';
import { textOf } from '../../../host/tools/result.ts';
import { kernel, memoryArtifacts } from '../../kit/dispatch.ts';
import { echoTool, memorySource } from '../../kit/source.ts';
import { expectLinear } from '../../kit/growth.ts';
import { createMovedClock } from '../../kit/moved-clock.ts';

const schema = {
  type: 'object',
  properties: { count: { type: 'integer', default: 3 }, word: { type: 'string', pattern: '^[a-z]+$' } },
  required: ['word'],
  additionalProperties: false,
};
const answers =
  (answer: Answer, seen: Question[] = []) =>
  async (question: Question) => {
    seen.push(question);
    return answer;
  };

describe('resolve', () => {
  test('an unknown tool is answered with near names', async () => {
    const { call } = await kernel([echoTool({ name: 'deploy' })]);
    const { error } = await call('deplyo');
    expect(error).toMatchObject({
      code: 'PEG_TOOL_NOT_FOUND',
      stage: 'resolve',
      data: { suggestions: ['memory.deploy'] },
    });
    expect(error?.message).toContain('Did you mean memory.deploy?');
  });

  test('a tool that an agent may not use is refused, while the host may run it', async () => {
    const { call } = await kernel([echoTool()]);
    const scope = { identity: 'agent', access: { blocked: ['memory.*'] } } as const;
    expect((await call('echo', {}, { scope })).error?.code).toBe('PEG_TOOL_UNAVAILABLE');
    expect((await call('echo')).error).toBeUndefined();
    const only = { identity: 'agent', access: { allowed: ['other'] } } as const;
    expect((await call('echo', {}, { scope: only })).error?.code).toBe('PEG_TOOL_UNAVAILABLE');
  });
});

describe('validate', () => {
  test('defaults are filled in and the caller cannot change the arguments afterwards', async () => {
    let seen: unknown;
    const { call } = await kernel([echoTool({ parameters: schema, execute: (args) => void (seen = args) })]);
    const args = { word: 'abc' };
    expect((await call('echo', args)).error).toBeUndefined();
    expect(seen).toEqual({ word: 'abc', count: 3 });
    expect(args).toEqual({ word: 'abc' });
  });

  test.each([
    [{}, '"word" is missing'],
    [{ word: 'abc', count: 'x' }, '"count" must be of type integer'],
    [{ word: 'abc', wrod: 1 }, '"wrod" is not known; known: count, word'],
    [{ word: 'ABC' }, '"word" must match the pattern ^'],
    ['text', 'must be an object, not a string'],
    [[1], 'must be an object, not an array'],
  ])('%j is refused, and the failure carries the schema', async (args, message) => {
    const { call } = await kernel([echoTool({ parameters: schema })]);
    const { error } = await call('echo', args);
    expect(error).toMatchObject({ code: 'PEG_INVALID_ARGUMENTS', stage: 'validate', data: { schema } });
    expect(error?.message).toContain(message);
  });

  test('arguments nested 100,000 levels deep are refused and cost nothing', async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    const { call } = await kernel([echoTool()]);
    expect((await call('echo', { deep })).error?.code).toBe('PEG_INVALID_ARGUMENTS');
    expect((await call('echo', { text: 'x'.repeat(10_000_000) })).error).toBeUndefined();
  });

  test.each<[string, object]>([
    ['a list', { list: Array(100_001).fill(1) }],
    ['lists', { lists: Array(400).fill(Array(300).fill('x')) }],
    ['members', Object.fromEntries(Array.from({ length: 100_001 }, (_, at) => [`k${at}`, 1]))],
  ])('too many arguments are refused before anything looks at them: %s', async (_what, args) => {
    const { call } = await kernel([echoTool()]);
    expect((await call('echo', args as never)).error).toMatchObject({
      code: 'PEG_INVALID_ARGUMENTS',
      message: expect.stringContaining('have more than 100,000 values') as string,
    });
  });

  test('a schema that does not compile fails that tool alone', async () => {
    const broken = echoTool({
      name: 'broken',
      parameters: { type: 'object', properties: { a: { type: 'nonsense' } } },
    });
    const { call } = await kernel([broken, echoTool()]);
    expect((await call('broken')).error?.code).toBe('PEG_INVALID_SCHEMA');
    expect((await call('echo')).error).toBeUndefined();
  });

  test('a pattern that would hang a backtracking engine takes time by the length of the text', async () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const { call } = await kernel([echoTool({ parameters })]);
    await expectLinear(async (length) => {
      const { error } = await call('echo', { a: `${'a'.repeat(length)}!` });
      expect(error?.code).toBe('PEG_INVALID_ARGUMENTS');
    }, 2_500);
  });
});

describe('hooks', () => {
  test('they run in order: arguments are rewritten, then judged as they will run, then the result is edited', async () => {
    const order: string[] = [];
    const { call } = await kernel([echoTool({ parameters: schema, execute: () => 'done' })], {
      hooks: [
        {
          name: 'late',
          hooks: {
            preTool: {
              order: 'post',
              handler: ({ args }) => void order.push(`judge ${JSON.stringify(args)}`),
            },
          },
        },
        {
          name: 'normal',
          hooks: {
            preValidate: ({ args }) => {
              order.push('rewrite');
              return { ...(args as object), word: 'changed' };
            },
            postTool: (_call, result) => ({
              ...result,
              content: [{ type: 'text', text: `${textOf(result)}!` }],
            }),
          },
        },
      ],
    });
    const result = await call('echo', { word: 'abc' });
    expect(order).toEqual(['rewrite', 'judge {"word":"changed","count":3}']);
    expect(textOf(result)).toBe('done!');
  });

  test('a hook that replaces the text of a built-in tool leaves no structure that still has the old one', async () => {
    const tool = echoTool({
      execute: () => ({ content: [{ type: 'text', text: 'name' }], structured: { a: 'name' } }),
    });
    const content = [{ type: 'text' as const, text: '…' }];
    const structured = { a: '…' };
    const edits = [{ content }, { content, structured }, {}];
    const found = edits.map(async (edit) => {
      const hooks = [
        { name: 'hides', hooks: { postTool: (_call: unknown, result: object) => ({ ...result, ...edit }) } },
      ];
      const { call } = await kernel(memorySource([tool], { kind: 'builtin' }), { hooks: hooks as never });
      return (await call('echo')).structured;
    });
    expect(await Promise.all(found)).toEqual([undefined, structured, { a: 'name' }]);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('no idea'))],
    ['never answers', () => new Promise<never>(() => {})],
  ])('a gate that %s denies', async (_, handler) => {
    const { call } = await kernel([echoTool()], {
      hooks: [{ name: 'gate', hooks: { preTool: { timeout: 0.05, handler } } }],
    });
    expect((await call('echo')).error).toMatchObject({ code: 'PEG_HOOK_FAILED', stage: 'authorize' });
  });

  test('a refusal says why, and hooks reach only the tools that they name', async () => {
    const hooks = [
      {
        name: 'gate',
        hooks: { preTool: { tools: 'memory.de*', handler: () => ({ deny: 'not on Fridays' }) } },
      },
    ];
    const { call } = await kernel([echoTool({ name: 'deploy' }), echoTool()], { hooks });
    expect((await call('deploy')).error).toMatchObject({ code: 'PEG_DENIED', message: 'not on Fridays' });
    expect((await call('echo')).error).toBeUndefined();
  });
});

describe('confirm', () => {
  const guarded = (fingerprint = 'f1') =>
    echoTool({
      name: 'deploy',
      confirm: true,
      fingerprint,
      prepare: () => ({ preview: 'sh deploy.sh main', cwd: '/srv' }),
    });

  test('without anybody to ask it does not run', async () => {
    let ran = false;
    const { call } = await kernel([{ ...guarded(), execute: () => void (ran = true) }]);
    expect((await call('deploy')).error).toMatchObject({ code: 'PEG_NOBODY_TO_ASK', stage: 'confirm' });
    expect(ran).toBe(false);
  });

  test('the question shows the exact command and where it runs', async () => {
    const seen: Question[] = [];
    const { call } = await kernel([guarded()]);
    expect((await call('deploy', {}, { ask: answers({ action: 'accept' }, seen) })).error).toBeUndefined();
    expect(seen[0]).toMatchObject({
      message: expect.stringContaining('memory.deploy'),
      detail: 'sh deploy.sh main',
      notes: ['in /srv'],
    });
    expect((await call('deploy', {}, { ask: answers({ action: 'decline' }) })).error?.code).toBe(
      'PEG_DECLINED',
    );
  });

  test('"always" holds for that very definition and no other', async () => {
    const source = memorySource([guarded('f1')]);
    const { call, registry } = await kernel(source);
    await call('deploy', {}, { ask: answers({ action: 'accept', content: { answer: 'always' } }) });
    expect((await call('deploy')).error).toBeUndefined();
    const changed = new Promise<void>((resolve) => registry.onChange(() => resolve()));
    source.change({ tools: [guarded('f2')] });
    await changed;
    expect((await call('deploy')).error?.code).toBe('PEG_NOBODY_TO_ASK');
  });

  test('"always" does not answer for what a hook or the arguments of one call raise', async () => {
    const seen: Question[] = [];
    const ask = answers({ action: 'accept', content: { answer: 'always' } }, seen);
    const sensitive = echoTool({
      name: 'write',
      prepare: () => ({ preview: 'write .env', sensitive: 'writes secrets' }),
    });
    const { call } = await kernel([sensitive]);
    await call('write', {}, { ask });
    await call('write', {}, { ask });
    expect(seen).toHaveLength(2);
    expect(seen[0]?.schema).toBeUndefined();
  });

  test('policies of the owner: never asks nobody, always asks even for harmless tools', async () => {
    const { call } = await kernel([guarded(), echoTool()]);
    expect((await call('deploy', {}, { confirm: 'never' })).error).toBeUndefined();
    expect((await call('echo', {}, { confirm: 'always' })).error?.code).toBe('PEG_NOBODY_TO_ASK');
  });

  test('time that a person takes does not count against the timeout', async () => {
    const clock = createMovedClock();
    const slowAsk = async (): Promise<Answer> => {
      clock.pass(150_000);
      return { action: 'accept' };
    };
    const asking = echoTool({
      timeout: 100,
      confirm: true,
      execute: async (_args: unknown, call: ToolCall) =>
        (await call.ask({ message: 'sure?' }, call.signal)).action,
    });
    const { call } = await kernel([asking], { clock });
    expect(textOf(await call('echo', {}, { ask: slowAsk }))).toBe('accept');
  });
});

describe('execute', () => {
  test('a tool that never ends is stopped at its timeout, even if it does not listen', async () => {
    let aborted = false;
    const stuck = echoTool({
      timeout: 0.05,
      execute: (_args: unknown, { signal }: ToolCall) => {
        signal.addEventListener('abort', () => (aborted = true));
        return new Promise<never>(() => {});
      },
    });
    const { call } = await kernel([stuck], { clock: createMovedClock({ skipMs: 3_000 }) });
    expect((await call('echo')).error).toMatchObject({
      code: 'PEG_TIMEOUT',
      stage: 'execute',
      message: expect.stringContaining('0.05 s'),
    });
    expect(aborted).toBe(true);
  });

  test('a caller that goes away cancels the call', async () => {
    const controller = new AbortController();
    const stuck = echoTool({ execute: () => new Promise<never>(() => {}) });
    const { call } = await kernel([stuck], { clock: createMovedClock({ skipMs: 3_000 }) });
    const pending = call('echo', {}, { signal: controller.signal });
    controller.abort();
    expect((await pending).error?.code).toBe('PEG_CANCELLED');
    expect((await call('echo', {}, { signal: controller.signal })).error?.code).toBe('PEG_CANCELLED');
  });

  test('whatever a tool throws becomes a failed result', async () => {
    for (const thrown of [new Error('broken pipe'), 'broken pipe', { why: 'broken pipe' }]) {
      const { call } = await kernel([echoTool({ execute: () => Promise.reject(thrown) })]);
      const result = await call('echo');
      expect(result.error).toMatchObject({ code: 'PEG_TOOL_FAILED', stage: 'execute' });
      expect(textOf(result)).toContain('broken pipe');
    }
  });

  test('a call in flight ends on the source that it began on, while new calls get the new one', async () => {
    const gate = Promise.withResolvers<void>();
    const old = memorySource([echoTool({ execute: () => gate.promise.then(() => 'old') })]);
    const { call, registry, handle } = await kernel(old);
    const inFlight = call('echo');
    await expect.poll(() => registry.acquire('echo') !== undefined).toBe(true);
    await registry.replace(handle, memorySource([echoTool({ execute: () => 'new' })]));
    expect(textOf(await call('echo'))).toBe('new');
    expect(old.closed).toBe(false);
    gate.resolve();
    expect(textOf(await inFlight)).toBe('old');
  });
});

describe('finish', () => {
  test('strings, objects and content blocks become one shape', async () => {
    const { call } = await kernel([
      echoTool({ name: 'text', execute: () => 'hello' }),
      echoTool({ name: 'object', execute: () => ({ sum: 3 }) }),
      echoTool({
        name: 'image',
        execute: () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }),
      }),
      echoTool({ name: 'nothing', execute: () => undefined }),
    ]);
    expect(await call('text')).toEqual({ content: [{ type: 'text', text: 'hello' }] });
    expect(await call('object')).toMatchObject({ structured: { sum: 3 } });
    expect(await call('image')).toEqual({
      content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
    });
    expect(await call('nothing')).toEqual({ content: [] });
  });

  test('long output is cut to head and tail, says how much is missing, and is kept whole', async () => {
    const long = `start${'x'.repeat(100_000)}end`;
    const artifacts = memoryArtifacts();
    const { call } = await kernel([echoTool({ execute: () => long })], { artifacts });
    const text = textOf(await call('echo'));
    expect(text.length).toBeLessThan(30_300);
    expect(text).toMatch(/^start/);
    expect(text).toMatch(/end$/);
    expect(text).toContain('70,008 of 100,008 characters');
    const id = /"id":"(\w+)"/.exec(text)![1]!;
    expect((await artifacts.read(id, 0, Number.POSITIVE_INFINITY)).text).toBe(long);
  });

  test('output that cannot be stored is still shown, with the reason', async () => {
    const full = { ...memoryArtifacts(), write: () => Promise.reject(new Error('the disk is full')) };
    const { call } = await kernel([echoTool({ execute: () => 'x'.repeat(100_000) })], { artifacts: full });
    const result = await call('echo');
    expect(result.error).toBeUndefined();
    expect(textOf(result)).toContain('could not be stored: the disk is full');
  });

  test('a secret leaves in no form: not in text, structured content or an error, plain, base64, hex or URL-encoded', async () => {
    const secret = 'hunter2/with+signs?';
    const forms = [
      secret,
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('hex'),
      encodeURIComponent(secret),
    ];
    const { call, redactor } = await kernel([
      echoTool({ name: 'leak', execute: () => ({ forms, text: forms.join(' ') }) }),
      echoTool({ name: 'fail', execute: () => Promise.reject(new Error(`bad token ${forms.join(' ')}`)) }),
    ]);
    redactor.add('API_KEY', secret);
    for (const tool of ['leak', 'fail']) {
      const shown = JSON.stringify(await call(tool));
      expect(shown).toContain('[secret API_KEY]');
      for (const form of forms) expect(shown).not.toContain(form.replace(/=+$/, ''));
    }
  });
});
