import type { Browser } from 'playwright-core';
import { openTab } from '../../test/kit/web/chromium.ts';
import { servePageIn } from '../../test/kit/web/states.ts';
import type { Row } from '../kit/section.ts';
import { median } from '../kit/statistics.ts';

/** What a slow machine is to the browser: its processor does everything in four times the time. */
const slowdown = 4;
const rounds = 5;
const screens = [
  '/tools/studio.deploy',
  '/manifests/spaces/studio/agent/tools/deploy.md',
  '/servers/notes',
  '/agents/studio',
  '/chat',
  '/trace',
  '/approvals',
  '/usage',
  '/plugins/builtin-core/schedules',
  '/plugins/builtin-core/memory',
];

interface Load {
  readonly kilobytes: number;
  readonly firstPaintMs: number;
  readonly blockingMs: number;
  readonly shift: number;
}

/** What a browser loads before the first screen is there, on a slow processor, and what other screens add. */
export async function measureFirstLoad(browser: Browser): Promise<readonly Row[]> {
  await using page = await servePageIn('busy');
  const loads: Load[] = [];
  for (let round = 0; round < rounds; round++) loads.push(await load(browser, page.link()));
  const of = (what: keyof Load): number => median(loads.map((one) => one[what]));
  const { largest, path } = await largestScreen(browser, () => page.link());
  return [
    {
      what: 'first load, compressed',
      unit: 'KB',
      pegboard: of('kilobytes'),
      target: { of: 'value', atMost: 60 },
    },
    {
      what: `the screen that adds most (${path})`,
      unit: 'KB',
      pegboard: largest,
      target: { of: 'value', atMost: 150 },
    },
    {
      what: 'first paint, on a processor 4 times slower',
      unit: 'ms',
      pegboard: of('firstPaintMs'),
      target: { of: 'value', atMost: 1_000 },
    },
    {
      what: 'in which keys and clicks wait: what tasks take beyond 50 ms',
      unit: 'ms',
      pegboard: of('blockingMs'),
      target: { of: 'value', atMost: 300 },
    },
    { what: 'layout shift', unit: '', pegboard: of('shift'), target: { of: 'value', atMost: 0.02 } },
  ];
}

async function load(browser: Browser, link: string): Promise<Load> {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  let bytes = 0;
  context.on('response', (response) => {
    if (!new URL(response.url()).pathname.startsWith('/api/'))
      bytes += Number(response.headers()['content-length'] ?? 0);
  });
  await context.addInitScript(() => {
    const seen = { blocking: 0, shift: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.blocking += Math.max(0, duration - 50);
    }).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          readonly value: number;
          readonly hadRecentInput: boolean;
        };
        if (!hadRecentInput) seen.shift += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const tab = await context.newPage();
  const session = await context.newCDPSession(tab);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await tab.goto(link);
  await tab.locator('.connection', { hasText: /^live$/ }).waitFor();
  await tab.locator('h1').first().waitFor();
  // What comes late would shift what is there.
  await tab.waitForTimeout(2_000);
  const { blocking, shift, paint } = await tab.evaluate(() => {
    const { seen } = globalThis as unknown as { readonly seen: { blocking: number; shift: number } };
    const [first] = performance.getEntriesByName('first-contentful-paint');
    return { ...seen, paint: first!.startTime };
  });
  return { kilobytes: bytes / 1_024, firstPaintMs: paint, blockingMs: blocking, shift };
}

async function largestScreen(
  browser: Browser,
  link: () => string,
): Promise<{ readonly largest: number; readonly path: string }> {
  const added: (readonly [path: string, kilobytes: number])[] = [];
  // Each in a browser that has the first load and nothing else.
  for (const path of screens) {
    await using context = await browser.newContext();
    const { tab } = await openTab(context, link());
    await tab.waitForLoadState('load');
    let bytes = 0;
    tab.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/api/') && response.status() === 200)
        bytes += Number(response.headers()['content-length'] ?? 0);
    });
    await tab.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await tab.waitForTimeout(1_000);
    added.push([path, bytes / 1_024]);
  }
  const [path, largest] = added.toSorted(([, a], [, b]) => b - a)[0]!;
  return { largest, path };
}
