import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ToolResult } from '../../../host/api/result.ts';
import { textOf } from '../../../host/tools/result.ts';
import { rounds } from '../../kit/run/tiers.ts';
import { launchBrowser, noBrowser, openTab } from '../../kit/web/chromium.ts';
import { servePage, type ServedPage } from '../../kit/web/served-page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const hostile = '<img src=x onerror=alert(1)>\u202Egnp';

describe.skipIf(noBrowser !== undefined)('bridge tools in a browser', () => {
  let page: ServedPage;
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });
  beforeEach(async () => {
    page = await servePage();
    return () => page[Symbol.asyncDispose]();
  });

  const call = (name: string, args: object): Promise<ToolResult> =>
    page.host.dispatch({ name, args, scope: page.host.scopeFor(undefined), caller: 'test' });
  const isWatched = () =>
    vi.waitFor(async () => expect(await page.host.questions.isWatched()).toBe(true), { timeout: 50_000 });
  const axeProblems = async (tab: Page): Promise<readonly string[]> => {
    await tab.evaluate(axe);
    const { violations } = await tab.evaluate(() =>
      (globalThis as unknown as { readonly axe: { run(): Promise<AxeResults> } }).axe.run(),
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  };

  test.each(['light', 'dark'] as const)(
    'a dialog is asked over any screen, by keyboard, in %s',
    async (colorScheme) => {
      await using context = await browser.newContext({ colorScheme, viewport: { width: 320, height: 640 } });
      const { tab, watched } = await openTab(context, page.link());
      await isWatched();
      const running = call('bridge.show_dialog', {
        title: hostile,
        text: hostile,
        choices: ['Staging', hostile],
      });
      const dialog = tab.getByRole('dialog');
      await dialog.waitFor();
      expect(await axeProblems(tab)).toEqual([]);
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      await tab.keyboard.press('Enter');
      expect(textOf(await running)).toBe('Staging');
      await dialog.waitFor({ state: 'detached' });
      const closed = call('bridge.show_dialog', { title: 'Sure?', choices: ['Yes'] });
      await tab.getByRole('dialog').waitFor();
      await tab.keyboard.press('Escape');
      expect(textOf(await closed)).toBe('The user declined. No button was pressed.');
      expect(watched).toEqual({ errors: [], outside: [] });
    },
  );

  test('files are chosen and sent', async () => {
    const files = ['a.txt', 'b.txt'].map((name) => join(page.home.path, name));
    for (const file of files) writeFileSync(file, `in ${file}`);
    await using context = await browser.newContext();
    const { tab } = await openTab(context, page.link());
    await isWatched();
    const running = call('bridge.show_file_picker', { title: 'Notes', multiple: true });
    await tab.getByLabel('Files').setInputFiles(files);
    expect(await axeProblems(tab)).toEqual([]);
    await tab.getByRole('button', { name: 'Send' }).click();
    const { content } = await running;
    expect(content.filter(({ type }) => type === 'text')).toMatchObject(
      files.map((file) => ({ text: `in ${file}` })),
    );
  });

  test('a notification shows until it is closed, and the call goes on at once', async () => {
    await using context = await browser.newContext();
    const { tab } = await openTab(context, page.link());
    await isWatched();
    expect(textOf(await call('bridge.show_notification', { title: 'Done', text: hostile }))).toBe(
      'Shown on the page.',
    );
    const shown = tab.getByRole('region', { name: 'Notifications' });
    await shown.getByText('Done').waitFor();
    expect(await axeProblems(tab)).toEqual([]);
    await shown.getByRole('button', { name: 'Close' }).click();
    await shown.waitFor({ state: 'detached' });
  });

  test('of two tabs the one that is used asks; when it is closed, the other does; after a reload, the same', async () => {
    await using context = await browser.newContext();
    const { tab: first } = await openTab(context, page.link());
    const second = await context.newPage();
    await second.goto(`${page.origin}/tools`);
    await second.getByRole('navigation').first().waitFor();
    await isWatched();
    await second.bringToFront();
    await second.mouse.move(10, 10);
    await second.keyboard.press('Shift');
    const running = call('bridge.show_dialog', { title: 'Sure?', choices: ['Yes', 'No'] });
    const asked = await Promise.race(
      [first, second].map(async (tab) => (await tab.getByRole('dialog').waitFor(), tab)),
    );
    const other = asked === first ? second : first;
    expect(await other.getByRole('dialog').count()).toBe(0);
    await asked.reload();
    await asked.getByRole('dialog').waitFor();
    expect(await other.getByRole('dialog').count()).toBe(0);
    await asked.close();
    await other.getByRole('dialog').waitFor();
    await other.getByRole('button', { name: 'No' }).click();
    expect(textOf(await running)).toBe('No');
  });

  test('of three tabs it is always the one that was used last', async () => {
    await using context = await browser.newContext();
    const { tab: first } = await openTab(context, page.link());
    const tabs = [first];
    for (const path of ['/tools', '/trace']) {
      const tab = await context.newPage();
      await tab.goto(`${page.origin}${path}`);
      await tab.getByRole('navigation').first().waitFor();
      tabs.push(tab);
    }
    await isWatched();
    const times = rounds({ all: 12, soak: 100 });
    for (let round = 0; round < times; round++) {
      const used = tabs[(round * 7 + Math.floor(round / 3)) % tabs.length]!;
      const reported = used.waitForResponse((response) => response.url().includes('/api/tab/'), {
        timeout: 1_000,
      });
      await used.keyboard.press('Shift');
      // One that was used last before has nothing new to say.
      await reported.catch(() => undefined);
      const running = call('bridge.show_dialog', { title: `Round ${round}`, choices: ['Yes'] });
      await used.getByRole('heading', { name: `Round ${round}`, exact: true }).waitFor();
      for (const other of tabs) if (other !== used) expect(await other.getByRole('dialog').count()).toBe(0);
      await used.getByRole('button', { name: 'Yes' }).click();
      expect(textOf(await running)).toBe('Yes');
    }
  });

  test('a form is answered in Approvals, and what is wrong stands at its field', async () => {
    await using context = await browser.newContext();
    const { tab } = await openTab(context, page.link());
    await isWatched();
    const running = call('meta.ask_user', { question: 'Which city?' });
    await tab.goto(`${page.origin}/approvals`);
    await tab.getByRole('heading', { name: 'Which city?' }).waitFor();
    await tab.getByRole('button', { name: 'Send' }).click();
    const field = tab.getByLabel('answer');
    await tab.locator('[aria-invalid=true]').waitFor();
    expect(await axeProblems(tab)).toEqual([]);
    await field.fill('Rome');
    await tab.getByRole('button', { name: 'Send' }).click();
    expect(textOf(await running)).toBe('Rome');
    await tab.getByText('Answered by you.').waitFor();
  });
});
