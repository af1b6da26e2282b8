import { setTimeout as delay } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { isSoak, rounds } from '../../kit/run/tiers.ts';
import { sandbox } from './sandbox/running.ts';

const scripts = rounds({ usual: 20, all: 60, soak: 1_000 });
const atOnce = 8;
const maxGrowthMb = 30;
const maxBlockedMs = 100;

test(
  `${scripts} scripts, ${atOnce} at once with 1 to 12 parallel calls each, return what they have to`,
  { timeout: 60_000 + scripts * 300 },
  async () => {
    await using host = sandbox({ slow: async ({ ms }: { ms: number }) => (await delay(ms), ms) });
    const one = async (number: number): Promise<unknown> => {
      const calls = 1 + (number % 12);
      const end = await host.run(`
        const all = await Promise.all(Array.from({ length: ${calls} }, (_, at) => call('slow', { ms: at % 3 })));
        let sum = ${number};
        for (const ms of all) sum += (await call('slow', { ms: 0 })) + ms;
        return sum;`);
      return end.kind === 'returned' ? end.value : end;
    };
    const wanted = (number: number): number =>
      Array.from({ length: 1 + (number % 12) }, (_, at) => at % 3).reduce((sum, ms) => sum + ms, number);
    let next = 0;
    const wrong: unknown[] = [];
    const work = async (until: number): Promise<void> => {
      while (next < until) {
        const number = next++;
        const value = await one(number);
        if (value !== wanted(number)) wrong.push({ number, value });
      }
    };
    const all = (until: number) => Promise.all(Array.from({ length: atOnce }, () => work(until)));
    await all(scripts / 4);
    const before = process.memoryUsage().rss;
    using delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    await all(scripts);
    delays.disable();
    expect(wrong).toEqual([]);
    // A loaded machine delays everything, and few scripts say nothing about growth.
    if (!isSoak) return;
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(maxGrowthMb);
    expect(delays.max / 1e6).toBeLessThan(maxBlockedMs);
  },
);
