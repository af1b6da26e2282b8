import { expect, test } from 'vitest';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { sayTool } from '../../../kit/web/say-tool.ts';
import { servePage } from '../../../kit/web/served-page.ts';

test('a call of the trace is made again from the form of its tool, as a new call', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage(sayTool);
  await using browser = await launchBrowser();
  await using opened = await browser.newContext();
  const { tab } = await openTab(opened, page.link());
  await tab.goto(`${page.origin}/trace`);
  await tab.locator('.connection', { hasText: /^live$/ }).waitFor();
  const scope = page.host.scopeFor(undefined);
  await page.host.dispatch({ name: 'work.say', args: { text: 'hello there' }, scope, caller: 'test' });
  await tab.getByRole('option').filter({ hasText: 'work.say' }).click();
  await tab.getByRole('button', { name: 'Call it again…' }).click();
  await tab.waitForURL('**/tools/work.say');
  const form = tab.locator('form[aria-label="Try work.say"]');
  expect(await form.getByLabel('text').inputValue()).toBe('hello there');
  await form.getByLabel('text').fill('and again');
  await form.getByRole('button', { name: 'Run', exact: true }).click();
  await tab.getByRole('region', { name: 'Result', exact: true }).getByText('and again').waitFor();
});
