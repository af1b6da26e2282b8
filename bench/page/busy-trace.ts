import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { echoTool, memorySource } from '../../test/kit/source.ts';
import { openTab } from '../../test/kit/web/chromium.ts';
import { servePage } from '../../test/kit/web/served-page.ts';
import type { Row } from '../kit/section.ts';
import { quantile } from '../kit/statistics.ts';

const callsPerSecond = 2_000;
const seconds = 60;
/** Between two bursts of calls. */
const burstMs = 10;

/** What a page sees of 2,000 calls a second: all of them, or how many it missed. */
export async function measureBusyTrace(browser: Browser): Promise<readonly Row[]> {
  await using served = await servePage();
  await using _source = await served.host.registry.add(
    memorySource([echoTool({ execute: () => 'done' })], { module: 'many' }),
  );
  const name = [...served.host.registry.snapshot.tools.keys()].find((id) => id.startsWith('many'))!;
  await using context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const { tab } = await openTab(context, served.link());
  await tab.goto(`${served.origin}/trace`);
  await tab.locator('.connection', { hasText: /^live$/ }).waitFor();
  const frames = tab.evaluate(async (forMs) => {
    const times: number[] = [];
    let before = performance.now();
    for (const end = before + forMs; before < end;) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      times.push(now - before);
      before = now;
    }
    return times;
  }, seconds * 1_000);
  const ending = new AbortController();
  const ended = new Set<string>();
  let left = 0;
  const follow = async (): Promise<void> => {
    for await (const event of served.events(ending.signal)) {
      if (event.type === 'gap') left += event.rows;
      if (event.type === 'calls')
        for (const { id, outcome } of event.rows) if (outcome !== undefined) ended.add(id);
    }
  };
  const following = follow().catch((cause: unknown) => {
    if (!ending.signal.aborted) throw cause;
  });
  await delay(500);
  const begin = performance.now();
  let made = 0;
  while (performance.now() - begin < seconds * 1_000) {
    const due = Math.floor(((performance.now() - begin) / 1_000) * callsPerSecond);
    await Promise.all(
      Array.from({ length: due - made }, () =>
        served.host.dispatch({ name, args: {}, scope: served.host.scopeFor(undefined), caller: 'bench' }),
      ),
    );
    made = due;
    await delay(burstMs);
  }
  await delay(2_000);
  ending.abort();
  await following;
  const times = await frames;
  return [
    { what: 'calls a second for a minute', unit: '', pegboard: made / seconds },
    {
      what: 'of them missed without being counted',
      unit: '',
      pegboard: Math.max(0, made - ended.size - left),
      target: { of: 'value', atMost: 0 },
    },
    { what: 'of them left out, and counted', unit: '', pegboard: left },
    { what: 'a frame meanwhile, 95th percentile', unit: 'ms', pegboard: quantile(times, 0.95) },
  ];
}
