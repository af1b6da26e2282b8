import { expect, test } from 'vitest';
import type { Tool } from '../../../host/api/tool.ts';
import { runParallel } from '../../../host/meta/run-parallel.ts';
import { textOf } from '../../../host/tools/result.ts';
import { kernel } from '../../kit/dispatch.ts';
import { echoTool, hangingTool } from '../../kit/source.ts';

async function withTools(tools: readonly Tool[]) {
  const parallel = runParallel({ dispatch: (request) => made.dispatch(request) });
  const made = await kernel([parallel, ...tools]);
  return made;
}

/** Waits until all of its calls run, and fails the test by its timeout when they never do. */
function meeting(size: number): Tool {
  const { promise, resolve } = Promise.withResolvers<void>();
  let here = 0;
  return echoTool({
    name: 'meet',
    async execute(args) {
      if (++here === size) resolve();
      await promise;
      return JSON.stringify(args);
    },
  });
}

test('calls run side by side, and their results come in the order of the calls', async () => {
  const { call } = await withTools([meeting(3)]);
  const calls = [1, 2, 3].map((n) => ({ tool: 'meet', params: { n } }));
  const result = await call('run_parallel', { calls });
  expect(textOf(result)).toBe('[1] meet: ok\n{"n":1}\n[2] meet: ok\n{"n":2}\n[3] meet: ok\n{"n":3}');
  expect(result.structured).toEqual({
    results: [1, 2, 3].map((n) => ({ tool: 'meet', ok: true, text: `{"n":${n}}` })),
  });
});

test('one failure costs no other, and says what it is', async () => {
  const { call } = await withTools([
    echoTool(),
    echoTool({
      name: 'broken',
      execute() {
        throw new Error('out of order');
      },
    }),
  ]);
  const calls = [{ tool: 'broken' }, { tool: 'ecko' }, { tool: 'echo', params: { a: 1 } }];
  const result = await call('run_parallel', { calls });
  expect(result.error).toBeUndefined();
  expect(result.structured).toMatchObject({
    results: [
      { tool: 'broken', ok: false, error: { code: 'PEG_TOOL_FAILED', message: 'out of order' } },
      { tool: 'ecko', ok: false, error: { code: 'PEG_TOOL_NOT_FOUND' } },
      { tool: 'echo', ok: true, text: '{"a":1}' },
    ],
  });
  expect(textOf(result)).toContain('[1] broken: failed (PEG_TOOL_FAILED)\nout of order');
});

test('images and structured results are passed on', async () => {
  const image = { type: 'image', data: 'iVBORw0=', mimeType: 'image/png' } as const;
  const { call } = await withTools([
    echoTool({ name: 'look', execute: () => ({ content: [image] }) }),
    echoTool({ name: 'count', execute: () => ({ total: 3 }) }),
  ]);
  const result = await call('run_parallel', { calls: [{ tool: 'look' }, { tool: 'count' }] });
  expect(result.content[1]).toEqual(image);
  expect(result.structured).toMatchObject({ results: [{ ok: true }, { structured: { total: 3 } }] });
});

test('no more than eight run at a time, and all of them get their turn', async () => {
  let running = 0;
  let most = 0;
  const busy = echoTool({
    name: 'busy',
    async execute() {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    },
  });
  const { call } = await withTools([busy]);
  const busyCalls = (count: number) => Array.from({ length: count }, () => ({ tool: 'busy' }));
  const result = await call('run_parallel', { calls: busyCalls(25) });
  expect((result.structured as { results: unknown[] }).results).toHaveLength(25);
  expect(most).toBe(8);
  const tooMany = await call('run_parallel', { calls: busyCalls(26) });
  expect(tooMany.error?.code).toBe('PEG_INVALID_ARGUMENTS');
});

test('cancelling stops every part', async () => {
  const stopped: unknown[] = [];
  const controller = new AbortController();
  const hang = hangingTool(controller, stopped);
  const { call } = await withTools([hang]);
  const calls = [1, 2].map((n) => ({ tool: 'hang', params: { n } }));
  const result = await call('run_parallel', { calls }, { signal: controller.signal });
  expect(result.error?.code).toBe('PEG_CANCELLED');
  expect(stopped).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a person is asked one question after the other, and a declined part is only that', async () => {
  const { call } = await withTools([echoTool({ confirm: true })]);
  let open = 0;
  let nth = 0;
  const result = await call(
    'run_parallel',
    { calls: [1, 2, 3].map((n) => ({ tool: 'echo', params: { n } })) },
    {
      async ask() {
        expect(++open).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        return { action: ++nth === 2 ? 'decline' : 'accept' };
      },
    },
  );
  const results = (result.structured as { results: { ok: boolean; error?: { code: string } }[] }).results;
  expect(results.map(({ ok, error }) => error?.code ?? ok)).toEqual([true, 'PEG_DECLINED', true]);
});

test('with nobody to ask, a part that needs a confirmation says so', async () => {
  const { call } = await withTools([echoTool({ confirm: true })]);
  const result = await call('run_parallel', { calls: [{ tool: 'echo' }] });
  expect(result.structured).toMatchObject({ results: [{ error: { code: 'PEG_NOBODY_TO_ASK' } }] });
});

test('what the caller may not use stays out of reach, and calls are not nested', async () => {
  const { call } = await withTools([echoTool()]);
  const scope = { identity: 'agent', access: { blocked: ['memory.echo'] } } as const;
  const nested = { tool: 'run_parallel', params: { calls: [{ tool: 'echo' }] } };
  const result = await call('run_parallel', { calls: [{ tool: 'echo' }, nested] }, { scope });
  expect(result.structured).toMatchObject({
    results: [{ error: { code: 'PEG_TOOL_UNAVAILABLE' } }, { error: { code: 'PEG_INVALID_ARGUMENTS' } }],
  });
});

test('progress grows with everything that the parts say', async () => {
  const talk = echoTool({
    name: 'talk',
    execute: (_args, own) => own.progress({ progress: 7, message: 'half way' }),
  });
  const { call } = await withTools([talk]);
  const heard: unknown[] = [];
  await call(
    'run_parallel',
    { calls: [{ tool: 'talk' }] },
    { onProgress: (progress) => heard.push(progress) },
  );
  expect(heard).toEqual([
    { progress: 1, message: 'talk: half way' },
    { progress: 2, message: '1 of 1 done' },
  ]);
});
