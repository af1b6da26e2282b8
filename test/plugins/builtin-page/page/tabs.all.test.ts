import { expect, test } from 'vitest';
import { rounds } from '../../../kit/run/tiers.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { sayTool } from '../../../kit/web/say-tool.ts';
import { servePage } from '../../../kit/web/served-page.ts';

const tabs = rounds({ all: 8, soak: 20 });

test('all tabs are live with one stream, which another one holds when its tab is closed', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage(sayTool);
  await using browser = await launchBrowser();
  await using opened = await browser.newContext();
  let streams = 0;
  opened.on('request', (request) => {
    if (request.url().includes('/api/events')) streams++;
  });
  const { tab: leader } = await openTab(opened, page.link());
  const others = await Promise.all(Array.from({ length: tabs - 1 }, () => opened.newPage()));
  for (const tab of others) await tab.goto(`${page.origin}/trace`);
  const shows = async (text: string): Promise<void> => {
    await page.host.dispatch({
      name: 'work.say',
      args: { text },
      scope: page.host.scopeFor(undefined),
      caller: text,
    });
    for (const tab of others) await tab.getByRole('option').filter({ hasText: text }).waitFor();
  };
  await shows('first');
  expect(streams).toBe(1);
  await leader.close();
  await shows('second');
  expect(streams).toBe(2);
  // Each once, also where the tab has got it twice: from the one before and from the host.
  for (const tab of others) expect(await tab.getByRole('option').count()).toBe(2);
});
