import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { kernel } from '../../kit/dispatch.ts';
import { echoTool } from '../../kit/source.ts';

const day = 86_400_000;
const jump = (ms: number): void => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
afterEach(() => void vi.useRealTimers());

test.for([day, -day])('a time limit takes as long as it says when the clock jumps by %d ms', async (ms) => {
  const { call } = await kernel([
    echoTool({
      name: 'long',
      timeout: 0.3,
      execute: async (_args, { signal }) => {
        jump(ms);
        await delay(60_000, undefined, { signal });
        return 'never';
      },
    }),
    echoTool({
      name: 'short',
      timeout: 30,
      execute: async () => {
        jump(ms);
        await delay(50);
        return 'done';
      },
    }),
  ]);
  const began = performance.now();
  expect((await call('long')).error?.code).toBe('PEG_TIMEOUT');
  expect(performance.now() - began).toBeGreaterThan(290);
  expect((await call('short')).error).toBeUndefined();
});
