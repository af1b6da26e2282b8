import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { listedTool, listingEntry, listingServer } from '../../../kit/mcp/listing-server.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

const { resolve } = createRequire(import.meta.url);
const everything = join(
  dirname(resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

/** Types the code that a terminal shows. */
async function prove(tab: Page, page: ServedPage): Promise<void> {
  await tab.getByLabel('Code', { exact: true }).fill(page.code());
  await tab.getByRole('button', { name: 'Continue' }).click();
}

test('a server is added, works, is turned off and on, and its changed tool is accepted', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage({
    'pegboard.yaml': JSON.stringify({ mcpServers: { notes: listingEntry } }),
    ...listingServer([listedTool('search', 'Searches')]),
  });
  await using browser = await launchBrowser();
  await using opened = await browser.newContext();
  const { tab, watched } = await openTab(opened, page.link());
  // A real server, by hand.
  await tab.keyboard.press('s');
  await tab.getByRole('link', { name: 'Add a server' }).click();
  await tab.getByLabel('Command or address').fill(`"${process.execPath}" "${everything}"`);
  await tab.getByLabel('Name', { exact: true }).fill('everything');
  await tab.getByRole('button', { name: 'One more variable' }).click();
  await tab.getByLabel('Name of variable 1').fill('SOME_TOKEN');
  await tab.getByLabel('Value of variable 1').fill('k9Zq3vXw7Rty1uPo5sDf');
  await tab.getByRole('button', { name: 'Show what it would be' }).click();
  await tab.getByText('${EVERYTHING_SOME_TOKEN}').waitFor();
  await tab.getByRole('button', { name: 'Add it' }).click();
  await prove(tab, page);
  const article = tab.locator('article[aria-label="everything"]');
  await article.getByText('connected', { exact: true }).waitFor();
  await article.getByRole('link', { name: 'everything.echo', exact: true }).waitFor();
  expect(await tab.content()).not.toContain('k9Zq3vXw7Rty1uPo5sDf');
  // It runs: the link leads to its form.
  await article.getByRole('link', { name: 'everything.echo', exact: true }).click();
  await tab.locator('article[aria-label="everything.echo"]').waitFor();
  await tab.goBack();
  await article.getByRole('button', { name: 'Turn off' }).click();
  await article.getByText('off', { exact: true }).waitFor();
  await article.getByRole('button', { name: 'Turn on' }).click();
  await article.getByText('connected', { exact: true }).waitFor();
  // One that changes, and what has changed.
  await tab.getByRole('link', { name: /^notes/ }).click();
  const notes = tab.locator('article[aria-label="notes"]');
  await notes.getByRole('button', { name: 'Connect' }).click();
  await notes.getByRole('link', { name: 'notes.search' }).waitFor();
  await page.home.write('tools.json', JSON.stringify([listedTool('search', 'Searches and tells others')]));
  await notes.getByRole('button', { name: 'Connect again' }).click();
  await notes.locator('.diff .plus', { hasText: 'tells others' }).waitFor();
  await notes.getByRole('button', { name: 'Accept' }).click();
  await notes.getByText('Approved: search.').waitFor();
  await notes.getByRole('link', { name: 'notes.search' }).waitFor();
  // And it goes.
  await notes.getByRole('button', { name: 'Remove…' }).click();
  await notes.getByRole('button', { name: 'Remove it' }).click();
  await expect.poll(() => page.host.servers.get('notes')).toBeUndefined();
  // What a browser says of an answer that wants a code first, or that a server has gone.
  const errors = watched.errors.filter((text) => !/status of (?:403|422)/.test(text));
  expect({ ...watched, errors }).toEqual({ errors: [], outside: [] });
});

const hostile = [
  '<img src=x onerror=globalThis.executed=1>',
  '</pre><script>globalThis.executed=1</script>',
  '![](https://evil.example/pixel.png) [a](javascript:globalThis.executed=1)',
  '\u202Eesrever\u202C \u200Bhidden',
  'x'.repeat(20_000),
];

test('what servers say is text: in their tools, differences, instructions, failures and logs', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  const tools = (more: string): readonly object[] =>
    hostile.map((text, at) => ({
      name: `tool-${at}`,
      title: text,
      description: `${text}${more}`,
      inputSchema: {
        type: 'object',
        properties: { [text.slice(0, 60)]: { type: 'string', description: text } },
      },
    }));
  await using page = await servePage({
    'pegboard.yaml': JSON.stringify({
      mcpServers: {
        saying: { ...listingEntry, args: ['server.mjs', ...hostile.slice(0, 3)] },
        failing: {
          command: process.execPath,
          args: ['-e', 'console.error(process.argv[1]); process.exit(1)', hostile[0]],
        },
      },
    }),
    ...listingServer(tools(''), { stderr: `${hostile.join('\n')}\n` }),
  });
  await page.ask('server-connect/saying', { body: {} });
  await page.home.write('tools.json', JSON.stringify(tools(' changed')));
  await page.ask('server-connect/saying', { body: {} });
  await page.ask('server-connect/failing', { body: {} });
  await using browser = await launchBrowser();
  await using opened = await browser.newContext({ viewport: { width: 320, height: 720 } });
  const { tab, watched } = await openTab(opened, page.link());
  for (const name of ['saying', 'failing']) {
    await tab.goto(`${page.origin}/servers/${name}`);
    await tab.locator('ol.log li').first().waitFor();
    const main = tab.locator('main');
    expect(await main.textContent()).toContain('<img src=x onerror=globalThis.executed=1>');
    expect(await main.evaluate((one) => one.querySelectorAll('img, script, iframe, object').length)).toBe(0);
    expect(await main.evaluate((one) => one.querySelector('.detail')!.scrollWidth)).toBeLessThanOrEqual(320);
  }
  await tab.goto(`${page.origin}/servers/saying`);
  await tab.locator('.diff').waitFor();
  expect(await tab.locator('.diff').textContent()).toContain('\\u{202e}esrever');
  expect(await tab.evaluate(() => 'executed' in globalThis)).toBe(false);
  expect(watched).toEqual({ errors: [], outside: [] });
});
