import { expect, test } from 'vitest';
import type { Tool } from '../../../host/api/tool.ts';
import { toInnerRequest } from '../../../host/dispatch/inner-call.ts';
import { runParallel } from '../../../host/meta/run-parallel.ts';
import { textOf } from '../../../host/tools/result.ts';
import { createMcpLab, caller, fixture } from '../../kit/mcp/mcp-source.ts';
import { kernel } from '../../kit/dispatch.ts';
import { echoTool, memorySource } from '../../kit/source.ts';

/** A tool whose calls run until they are released, one by one in the order in which they began. */
function waitingTool() {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const tool = echoTool({
    name: 'hold',
    execute: ({ text }: { readonly text: string }) => {
      begun.push(text);
      return new Promise<string>((resolve) => waiting.push(() => resolve(text)));
    },
  } as Partial<Tool>);
  return { tool, begun, finishOne: () => waiting.shift()!() };
}

const busy = (tool: Tool, callLimit: { limit: number; maxQueued: number; queueTimeoutMs: number }) =>
  kernel([tool], { callLimit });

test('more calls than may run at once wait their turn, in the order in which they came', async () => {
  const { tool, begun, finishOne } = waitingTool();
  const { call } = await busy(tool, { limit: 2, maxQueued: 5, queueTimeoutMs: 60_000 });
  const calls = ['a', 'b', 'c', 'd'].map((text) => call('memory.hold', { text }));
  await expect.poll(() => begun).toEqual(['a', 'b']);
  finishOne();
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  finishOne();
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  finishOne();
  finishOne();
  expect((await Promise.all(calls)).map(textOf)).toEqual(['a', 'b', 'c', 'd']);
  // All slots are free again.
  const next = call('memory.hold', { text: 'e' });
  await expect.poll(() => begun.at(-1)).toBe('e');
  finishOne();
  await next;
});

test('too many that wait are refused at once, and none waits for ever: nothing of them runs', async () => {
  const { tool, begun, finishOne } = waitingTool();
  const { call } = await busy(tool, { limit: 1, maxQueued: 1, queueTimeoutMs: 50 });
  const first = call('memory.hold', { text: 'a' });
  await expect.poll(() => begun).toEqual(['a']);
  const second = call('memory.hold', { text: 'b' });
  expect((await call('memory.hold', { text: 'c' })).error).toMatchObject({
    code: 'PEG_BUSY',
    stage: 'execute',
    message:
      '1 tool calls are already running, and 1 more wait for their turn. Nothing was run. Try again when some of them have ended.',
  });
  expect((await second).error).toMatchObject({
    code: 'PEG_BUSY',
    message: expect.stringContaining('none of them ended within 0.05 seconds'),
  });
  finishOne();
  await first;
  expect(begun).toEqual(['a']);
});

test('who is cancelled while waiting gives the turn to the next one', async () => {
  const { tool, begun, finishOne } = waitingTool();
  const { call } = await busy(tool, { limit: 1, maxQueued: 5, queueTimeoutMs: 60_000 });
  const first = call('memory.hold', { text: 'a' });
  await expect.poll(() => begun).toEqual(['a']);
  const controller = new AbortController();
  const second = call('memory.hold', { text: 'b' }, { signal: controller.signal });
  const third = call('memory.hold', { text: 'c' });
  await new Promise(setImmediate);
  controller.abort();
  expect((await second).error?.code).toBe('PEG_CANCELLED');
  finishOne();
  await expect.poll(() => begun).toEqual(['a', 'c']);
  finishOne();
  await Promise.all([first, third]);
});

test('a call that makes calls holds one place for all of them, so that none waits for itself', async () => {
  const outer = echoTool({
    name: 'outer',
    execute: async (_args, call) => textOf(await dispatch(toInnerRequest(call, 'memory.echo', { x: 1 }))),
  });
  const { dispatch, call } = await kernel([outer, echoTool()], {
    callLimit: { limit: 1, maxQueued: 1, queueTimeoutMs: 1_000 },
  });
  expect(textOf(await call('memory.outer'))).toBe('{"x":1}');
});

test('run_parallel and the like hold none: they only wait for others', async () => {
  const meta = memorySource([runParallel({ dispatch: (request) => dispatch(request) }) as Tool, echoTool()], {
    id: 'meta',
    module: 'meta',
  });
  const { dispatch, call } = await kernel(meta, {
    callLimit: { limit: 1, maxQueued: 10, queueTimeoutMs: 5_000 },
  });
  const { error } = await call('meta.run_parallel', {
    calls: [{ tool: 'meta.echo' }, { tool: 'meta.echo' }],
  });
  expect(error).toBeUndefined();
});

test('tools that call each other in a circle end after sixteen calls within calls, and say which way', async () => {
  const step = (name: string, next: string): Tool =>
    echoTool({
      name,
      execute: async (_args, call) => {
        const result = await dispatch(toInnerRequest(call, `memory.${next}`, {}));
        return result.error ? `${result.error.code}: ${result.error.message}` : textOf(result);
      },
    });
  const { dispatch, call } = await kernel([step('there', 'back'), step('back', 'there')]);
  expect(textOf(await call('memory.there'))).toBe(
    'PEG_LIMIT: memory.there is the 17th call within another (memory.there → memory.back → memory.there → memory.back → …); at most 16 are allowed. Call it directly.',
  );
});

test('an MCP server gets 32 calls at once, however many are made', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('counting', fixture('counts'));
  await source.connect();
  const calls = Array.from({ length: 100 }, () => source.callTool('count', {}, caller()));
  const counts = (await Promise.all(calls)).map((result) => Number(textOf(result)));
  expect(Math.max(...counts)).toBe(32);
});
