import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { openTab } from '../../test/kit/web/chromium.ts';
import { openHome } from '../kit/home.ts';
import { residentMemory, startProcess, type RunningProcess } from '../kit/process.ts';
import type { Row } from '../kit/section.ts';
import { median } from '../kit/statistics.ts';

const program = join(import.meta.dirname, '../programs/serve-page.ts');
const rounds = 3;
const screens = ['/tools', '/trace', '/approvals', '/servers', '/agents', '/manifests', '/usage', '/chat'];

interface Memory {
  readonly kept: number;
  readonly resident: number;
}

/** What the page costs its host: when nobody has looked at it, and when all of its screens were looked at. */
export async function measureMemory(browser: Browser): Promise<readonly Row[]> {
  const none: Memory[] = [];
  const served: Memory[] = [];
  const open: Memory[] = [];
  for (let round = 0; round < rounds; round++) {
    none.push(await memoryWith('none'));
    served.push(await memoryWith('page'));
    open.push(await memoryWith('page', (link) => lookAtAll(browser, link)));
  }
  const of = (figures: readonly Memory[], what: keyof Memory): number =>
    median(figures.map((one) => one[what]));
  return [
    {
      what: 'memory that a host keeps, with a page that nobody has opened',
      unit: 'MB',
      direct: of(none, 'kept'),
      pegboard: of(served, 'kept'),
      target: { of: 'difference', atMost: 2 },
    },
    {
      what: 'resident memory, with a page open whose screens were all looked at',
      unit: 'MB',
      direct: of(none, 'resident'),
      pegboard: of(open, 'resident'),
      target: { of: 'difference', atMost: 25 },
    },
  ];
}

async function memoryWith(
  what: 'none' | 'page',
  look?: (link: string) => Promise<AsyncDisposable>,
): Promise<Memory> {
  using home = openHome({ manifests: 20 });
  await using host = startProcess(['--expose-gc', program, home.folder, what]);
  const [, link = ''] = await host.printed(/link: (\S+)/);
  await using _tab = await look?.(link);
  await delay(1_000);
  return { kept: await keptBy(host), resident: residentMemory(host.pid) };
}

async function keptBy(host: RunningProcess): Promise<number> {
  host.child.kill('SIGUSR2');
  return Number((await host.printed(/kept 1: (\S+)/))[1]);
}

async function lookAtAll(browser: Browser, link: string): Promise<AsyncDisposable> {
  const context = await browser.newContext();
  const { tab } = await openTab(context, link);
  for (const path of screens) {
    await tab.locator(`nav a[href="${path}"]`).click();
    await tab.locator('h1').first().waitFor();
    await tab.waitForTimeout(300);
  }
  return context;
}
