import { expect, test } from 'vitest';
import { listedTool, listingEntry, listingServer } from '../../../kit/mcp/listing-server.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { servePage } from '../../../kit/web/served-page.ts';

test('the checks show as they arrive, one that hangs stops no other, and everything is checked on request', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage({
    'pegboard.yaml': `confirm: never\nmcpServers: ${JSON.stringify({ notes: listingEntry })}\n`,
    ...listingServer([listedTool('one', 'The first')]),
  });
  await using browser = await launchBrowser();
  await using opened = await browser.newContext();
  const { tab, watched } = await openTab(opened, page.link());
  let letGo = (): void => {};
  const hanging = new Promise<void>((resolve) => (letGo = resolve));
  await tab.route('**/api/check/servers', async (route) => {
    await hanging;
    await route.continue();
  });
  await tab.keyboard.press(',');
  await tab.getByText('Checking… the servers').waitFor();
  await tab.getByText('no tool needs confirmation before it runs').waitFor();
  await tab.getByText('confirm: manifest in pegboard.yaml').waitFor();
  await tab.getByRole('heading', { name: 'Settings in force' }).waitFor();
  letGo();
  await tab.getByText('Not checked yet: the database, the model.').waitFor();
  await tab.getByRole('heading', { name: /things? wants? a look/ }).waitFor();
  await tab.getByRole('button', { name: 'Check everything' }).click();
  await tab.getByText('Checked at').waitFor();
  await tab.getByText(/are well$/).click();
  await tab.getByText('connected, 1 tool').waitFor();
  // The files, and where each setting is from.
  await tab.getByText('pegboard.yaml:1').waitFor();
  await tab.getByText('Its text').first().click();
  await tab.getByRole('region', { name: 'pegboard.yaml' }).getByText('confirm: never').waitFor();
  // Without the host, what is known stays.
  await page.stopServing();
  await tab.getByText('not connected', { exact: true }).waitFor();
  await tab.getByText('no tool needs confirmation before it runs').waitFor();
  await tab.getByText('this is the last known state').waitFor();
  const errors = watched.errors.filter((text) => !/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/.test(text));
  expect({ ...watched, errors }).toEqual({ errors: [], outside: [] });
});

test('single keys can be turned off, and stay so', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage();
  await using browser = await launchBrowser();
  await using opened = await browser.newContext();
  const { tab } = await openTab(opened, page.link());
  await tab.keyboard.press(',');
  await tab.getByLabel('Single keys lead to the screens').uncheck();
  await tab.reload();
  await tab.getByLabel('Single keys lead to the screens').waitFor();
  await tab.keyboard.press('t');
  await tab.getByRole('link', { name: 'Trace' }).click();
  expect(new URL(tab.url()).pathname).toBe('/trace');
  await tab.getByRole('link', { name: 'Settings' }).click();
  await tab.getByLabel('Single keys lead to the screens').check();
  await tab.locator('main').focus();
  await tab.keyboard.press('t');
  await tab.waitForURL('**/tools');
});
