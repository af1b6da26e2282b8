import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Question } from '../../../host/api/ask.ts';
import type { Scope } from '../../../host/api/source.ts';
import type { Progress, Tool, ToolCall } from '../../../host/api/tool.ts';
import { textOf } from '../../../host/tools/result.ts';
import { kernelWithMeta } from '../../kit/meta.ts';
import { echoTool } from '../../kit/source.ts';

test('a result comes back as the tool gave it: blocks, structured content, error and _meta', async () => {
  const everything = {
    content: [
      { type: 'text', text: 'seen', annotations: { priority: 1 } },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ],
    structured: { list: [1, { deep: true }] },
    meta: { 'example/kept': 'yes' },
  } as const;
  const failing = {
    ...everything,
    error: { code: 'PEG_SERVER_ERROR', stage: 'execute', message: 'no', data: { upstream: 7 } },
  } as const;
  const { call } = await kernelWithMeta([
    echoTool({ name: 'good', execute: () => everything }),
    echoTool({ name: 'bad', execute: () => failing }),
  ]);
  for (const name of ['good', 'bad']) expect(await call('execute_tool', { name })).toEqual(await call(name));
});

test('a long result is cut once, and its artifact holds all of it', async () => {
  const { call } = await kernelWithMeta([echoTool({ name: 'long', execute: () => 'x'.repeat(70_000) })]);
  const [block] = (await call('execute_tool', { name: 'long' })).content;
  const [direct] = (await call('long')).content;
  const withoutId = (shown: typeof block) => JSON.stringify(shown).replace(/\\"a\d+\\"/, '');
  expect(withoutId(block)).toBe(withoutId(direct));
});

test('arguments are checked before anything runs, and a model reads the real schema in the answer', async () => {
  let ran = false;
  const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
  const { call } = await kernelWithMeta([
    echoTool({ name: 'read', parameters, execute: () => void (ran = true) }),
  ]);
  const result = await call('execute_tool', { name: 'read', params: { pth: 'a' } });
  expect(result.error).toMatchObject({ code: 'PEG_INVALID_ARGUMENTS', stage: 'validate' });
  expect(textOf(result)).toContain(JSON.stringify(parameters));
  expect(ran).toBe(false);
});

test('the tool runs for the same caller and scope, as a call within the call', async () => {
  let seen: ToolCall | undefined;
  const { call } = await kernelWithMeta([
    echoTool({ name: 'look', execute: (_args, own) => void (seen = own) }),
  ]);
  const scope: Scope = { identity: 'agent', agent: 'example', access: {} };
  await call('execute_tool', { name: 'look' }, { scope, caller: 'someone', meta: { trace: 1 } });
  expect(seen).toMatchObject({ scope, caller: 'someone', meta: { trace: 1 } });
  expect(seen!.parent!.tool.id).toBe('meta.execute_tool');
});

test('what an agent may not use it can not run this way either', async () => {
  const { call } = await kernelWithMeta([echoTool({ name: 'secret' })]);
  const scope: Scope = { identity: 'agent', access: { blocked: ['secret'] } };
  const result = await call('execute_tool', { name: 'memory.secret' }, { scope });
  expect(result.error?.code).toBe('PEG_TOOL_UNAVAILABLE');
});

test('an agent that is allowed other modules alone still reaches them through meta-tools', async () => {
  const { call } = await kernelWithMeta([echoTool()]);
  const scope: Scope = { identity: 'agent', access: { allowed: ['memory'] } };
  expect((await call('execute_tool', { name: 'echo' }, { scope })).error).toBeUndefined();
});

test('a name that is not there is answered with near ones', async () => {
  const { call } = await kernelWithMeta([echoTool({ name: 'deploy' })]);
  const { error } = await call('execute_tool', { name: 'deplyo' });
  expect(error).toMatchObject({ code: 'PEG_TOOL_NOT_FOUND', data: { suggestions: ['memory.deploy'] } });
});

test('progress reaches the caller', async () => {
  const heard: Progress[] = [];
  const { call } = await kernelWithMeta([
    echoTool({ name: 'steps', execute: (_args, own) => own.progress({ progress: 1, total: 2 }) }),
  ]);
  await call('execute_tool', { name: 'steps' }, { onProgress: (progress) => heard.push(progress) });
  expect(heard).toEqual([{ progress: 1, total: 2 }]);
});

test('a caller that goes away stops the tool', async () => {
  const going = new AbortController();
  let stopped = false;
  const { call } = await kernelWithMeta([
    echoTool({
      name: 'wait',
      async execute(_args, { signal }) {
        queueMicrotask(() => going.abort());
        await once(signal, 'abort');
        stopped = true;
      },
    }),
  ]);
  const { error } = await call('execute_tool', { name: 'wait' }, { signal: going.signal });
  expect(error?.code).toBe('PEG_CANCELLED');
  expect(stopped).toBe(true);
});

const deploy = (): Tool => echoTool({ name: 'deploy', confirm: true });

test.for(['manifest', 'always'] as const)(
  'under the policy "%s" one question is asked, about the tool and its own arguments',
  async (policy) => {
    const { call } = await kernelWithMeta([deploy()], { confirmPolicy: () => policy });
    const questions: Question[] = [];
    const result = await call(
      'execute_tool',
      { name: 'deploy', params: { to: 'staging' } },
      {
        ask: async (question) => {
          questions.push(question);
          return { action: 'accept' };
        },
      },
    );
    expect(textOf(result)).toBe('{"to":"staging"}');
    expect(questions).toMatchObject([
      { message: 'Run memory.deploy?', detail: expect.stringContaining('staging') },
    ]);
  },
);

test('with nobody to ask, it says so, as without the detour', async () => {
  const { call } = await kernelWithMeta([deploy()]);
  expect((await call('execute_tool', { name: 'deploy' })).error).toMatchObject({
    code: 'PEG_NOBODY_TO_ASK',
    stage: 'confirm',
  });
});

test('a caller that decided not to be asked is not asked', async () => {
  const { call } = await kernelWithMeta([deploy()]);
  expect(await call('execute_tool', { name: 'deploy' }, { confirm: 'never' })).not.toHaveProperty('error');
});

test('hooks judge what really runs', async () => {
  const { call } = await kernelWithMeta([echoTool({ name: 'rm' })], {
    hooks: [{ name: 'guard', hooks: { preTool: { tools: 'rm', handler: () => ({ deny: 'never' }) } } }],
  });
  expect((await call('execute_tool', { name: 'rm' })).error).toMatchObject({
    code: 'PEG_DENIED',
    message: 'never',
  });
});

test.for(['execute_tool', 'meta.execute_tool', 'mcp__pegboard__execute_tool'])(
  'it does not run itself, by the name of %s',
  async (name) => {
    const { call } = await kernelWithMeta([echoTool()]);
    const result = await call('execute_tool', { name, params: { name: 'echo' } });
    expect(result.error).toMatchObject({ code: 'PEG_INVALID_ARGUMENTS' });
  },
);

test('a tool called by its own name, in any form, gives what it gives through execute_tool', async () => {
  const { call } = await kernelWithMeta([echoTool()]);
  const routed = await call('execute_tool', { name: 'memory.echo', params: { a: 1 } });
  for (const name of ['echo', 'memory.echo', 'memory__echo', 'mcp__memory__echo'])
    expect(await call(name, { a: 1 })).toEqual(routed);
});
