import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { gardenFiles } from '../../../kit/web/garden.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

let page: ServedPage;
let browser: Browser;
const owned = new AsyncDisposableStack();
beforeAll(async () => {
  page = owned.use(await servePage(gardenFiles()));
  if (noBrowser === undefined) browser = owned.use(await launchBrowser());
});
afterAll(() => owned.disposeAsync());

/** A tab of the page that shows the path. */
async function at(path: string, look: (tab: Page) => Promise<void>, height = 900): Promise<void> {
  await using context = await browser.newContext({ viewport: { width: 1280, height } });
  const { tab, watched } = await openTab(context, page.link());
  await tab.goto(`${page.origin}${path}`);
  await look(tab);
  // What a browser says of refused parameters, and of an act that needs a code first.
  const errors = watched.errors.filter((text) => !/status of (?:403|422)/.test(text));
  expect({ ...watched, errors }).toEqual({ errors: [], outside: [] });
}

test('a table is found in the navigation, searched, and opened; an action checks what is filled in, and the row follows', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await at('/', async (tab) => {
    await tab.getByRole('navigation').getByRole('link', { name: 'Garden' }).click();
    await tab.getByRole('heading', { name: 'Garden', level: 1 }).waitFor();
    await tab.getByText('No rain is expected.').waitFor();
    await expect.poll(() => tab.title()).toBe('Garden · Pegboard');
    const rows = tab.getByRole('rowheader');
    await expect.poll(() => rows.allTextContents()).toEqual(['Basil', 'Fig', 'Rose']);
    await tab.keyboard.press('/');
    await tab.locator('input[type=search]:focus').waitFor();
    await tab.keyboard.type('fi');
    await expect.poll(() => rows.allTextContents()).toEqual(['Fig']);
    await rows.getByRole('link', { name: 'Fig' }).click();
    const fig = tab.getByRole('article', { name: 'Garden: Fig' });
    await fig.getByText('Stands beside').waitFor();
    await fig.getByRole('button', { name: 'Water' }).click();
    const form = fig.getByRole('form', { name: 'Water?' });
    await form.getByLabel('liters').fill('50');
    await form.getByRole('button', { name: 'Water' }).click();
    await form.locator('[aria-invalid=true]').waitFor();
    await form.getByLabel('liters').fill('5');
    await form.getByRole('button', { name: 'Water' }).click();
    await tab.getByText('It is noted.').waitFor();
    await fig.getByText('fine').waitFor();
  });
});

test('what goes along is shown before, and a code of the terminal is asked for', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await at('/plugins/garden/plants/Rose', async (tab) => {
    const rose = tab.getByRole('article', { name: 'Garden: Rose' });
    await rose.getByRole('button', { name: 'Dig out' }).click();
    const form = rose.getByRole('form', { name: 'Dig it out?' });
    await form.getByText('the label of Rose').waitFor();
    await form.getByRole('button', { name: 'Dig out' }).click();
    const dialog = tab.getByRole('dialog');
    await dialog.getByLabel('Code').fill(page.code());
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await tab.getByText('Dig out: done.').waitFor();
    await expect.poll(() => tab.getByRole('rowheader').allTextContents()).toEqual(['Basil', 'Fig']);
  });
});

test('a calendar has the days to come, each entry a way to its row', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await at('/plugins/garden/plants', async (tab) => {
    await tab.getByRole('button', { name: 'Calendar' }).click();
    const days = tab.getByRole('list', { name: 'Garden: the next 7 days' });
    expect(await days.locator('> li').count()).toBe(7);
    expect(await days.locator('> li').first().textContent()).toBe('Today');
    await days.getByRole('link', { name: /Basil/ }).click();
    await tab.getByRole('article', { name: 'Garden: Basil' }).waitFor();
  });
});

test('a graph is drawn, and the list beside it says the same and leads to the rows', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await at('/plugins/garden/beds', async (tab) => {
    await tab.getByRole('button', { name: 'Graph' }).click();
    await tab.locator('canvas[data-placed=true]').waitFor();
    await expect.poll(() => paintedColours(tab)).toBeGreaterThan(3);
    const relations = tab.getByRole('region', { name: 'Relations' });
    await relations.getByText('stands beside').first().waitFor();
    await relations.getByRole('link', { name: 'Why: Basil' }).click();
    await tab.getByRole('article', { name: 'Beds: Basil' }).waitFor();
  });
});

/** How many colours the picture has: one while nothing is drawn. */
const paintedColours = (tab: Page): Promise<number> =>
  tab.evaluate(() => {
    const canvas = document.querySelector('canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set<number>();
    for (let at = 0; at < data.length; at += 4)
      seen.add((data[at]! << 24) + (data[at + 1]! << 16) + (data[at + 2]! << 8) + data[at + 3]!);
    return seen.size;
  });
