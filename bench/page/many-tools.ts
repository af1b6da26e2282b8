import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { echoTool, memorySource } from '../../test/kit/source.ts';
import { openTab } from '../../test/kit/web/chromium.ts';
import { servePage } from '../../test/kit/web/served-page.ts';
import type { Row } from '../kit/section.ts';
import { quantile } from '../kit/statistics.ts';

const manyTools = 10_000;
/** More than a host takes to index them, once they are unchanged. */
const indexMs = 5_000;

/** How the list of 10,000 tools scrolls, and how soon what is typed into its search field is answered. */
export async function measureManyTools(browser: Browser): Promise<readonly Row[]> {
  await using served = await servePage();
  const tools = Array.from({ length: manyTools }, (_, at) =>
    echoTool({ name: `tool-${at}`, description: `Does the thing that has the number ${at}.` }),
  );
  await using _source = await served.host.registry.add(memorySource(tools, { module: 'many' }));
  await using context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  // A host indexes them when it starts, not when somebody looks.
  await delay(indexMs);
  const { tab } = await openTab(context, served.link());
  await tab.goto(`${served.origin}/tools`);
  await tab.getByRole('option').first().waitFor();
  const first = await rankedAfter(tab, 'the thing with number 4711');
  const letters = await typeLetters(tab);
  const ranked = [
    await rankedAfter(tab, 'the thing with number 12'),
    await rankedAfter(tab, 'which does number 9999'),
  ];
  const { frames, blanks } = await scroll(tab);
  return [
    {
      what: 'a letter in the search, the slowest of ten',
      unit: 'ms',
      pegboard: Math.max(...letters),
      target: { of: 'value', atMost: 50 },
    },
    {
      what: 'the first search by meaning',
      unit: 'ms',
      pegboard: first,
      target: { of: 'value', atMost: 200 },
    },
    {
      what: 'later ones, the slower of two',
      unit: 'ms',
      pegboard: Math.max(...ranked),
      target: { of: 'value', atMost: 200 },
    },
    {
      what: 'a frame while it scrolls, 95th percentile',
      unit: 'ms',
      pegboard: quantile(frames, 0.95),
      target: { of: 'value', atMost: 33 },
    },
    {
      what: 'frames in which the list was blank',
      unit: '',
      pegboard: blanks,
      target: { of: 'value', atMost: 0 },
    },
  ];
}

const typeLetters = (tab: Page): Promise<readonly number[]> =>
  tab.evaluate(async () => {
    const field = document.querySelector<HTMLInputElement>('input[type=search]')!;
    const times: number[] = [];
    for (const text of ['t', 'th', 'the', 'the n', 'the nu', 'the num', '9', '99', '999', '']) {
      const begin = performance.now();
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
      times.push(performance.now() - begin);
    }
    return times;
  });

/** Milliseconds from the last letter until the answer of the host has arrived and is drawn. */
async function rankedAfter(tab: Page, words: string): Promise<number> {
  return await tab.evaluate(async (text) => {
    const field = document.querySelector<HTMLInputElement>('input[type=search]')!;
    const answered = new Promise<void>((resolve) => {
      const observer = new PerformanceObserver((list) => {
        if (!list.getEntries().some(({ name }) => name.includes('/api/search'))) return;
        observer.disconnect();
        resolve();
      });
      observer.observe({ type: 'resource' });
    });
    const begin = performance.now();
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await answered;
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    const took = performance.now() - begin;
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return took;
  }, words);
}

/** For four seconds, by a screen and a half each frame. */
const scroll = (tab: Page): Promise<{ readonly frames: readonly number[]; readonly blanks: number }> =>
  tab.evaluate(async () => {
    const list = document.querySelector('[role=listbox]')!;
    const { left, top, width, height } = list.getBoundingClientRect();
    const frames: number[] = [];
    let blanks = 0;
    let before = performance.now();
    const end = before + 4_000;
    while (before < end) {
      list.scrollTop = (list.scrollTop + list.clientHeight * 1.5) % (list.scrollHeight - list.clientHeight);
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      frames.push(now - before);
      before = now;
      const middle = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!middle?.closest('[role=option]')) blanks++;
    }
    return { frames, blanks };
  });
