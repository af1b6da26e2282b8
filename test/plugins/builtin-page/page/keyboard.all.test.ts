import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { manifest } from '../../../kit/homes/home.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { servePage } from '../../../kit/web/served-page.ts';

/** What has the focus, by its label or its text. */
const focused = (tab: Page): Promise<string> =>
  tab.evaluate(() => {
    const at = document.activeElement as HTMLElement;
    const label = at.getAttribute('aria-label') ?? (at as HTMLInputElement).labels?.[0]?.textContent;
    return label ?? at.textContent;
  });

async function tabTo(tab: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (name.test(await focused(tab))) return;
    await tab.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}.`);
}

test.for([1280, 320])(
  'every act is possible by keys alone, and the focus stays where it is used, at %i pixels',
  async (width, context) => {
    if (noBrowser !== undefined) return context.skip(noBrowser);
    await using page = await servePage({
      'spaces/work/agent/tools/note.md': manifest(
        'note',
        'parameters: [{ name: text, type: string, required: true }]\ncommand: "echo {{text}} >> notes"\nconfirm: true',
      ),
    });
    await using browser = await launchBrowser();
    await using opened = await browser.newContext({ viewport: { width, height: 800 } });
    const { tab } = await openTab(opened, page.link());
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await tab.keyboard.press(key);
    };
    // Find a tool, and open it.
    await press('t');
    await tab.getByRole('heading', { name: 'Tools' }).first().waitFor();
    await press('/');
    await expect.poll(() => focused(tab)).toBe('Find a tool');
    await tab.keyboard.type('work.note');
    await tab.locator('[data-cursor=true]', { hasText: 'work.note' }).waitFor();
    await press('Enter');
    await tab.locator('article[aria-label="work.note"]').waitFor();
    // Fill in the form, and run it.
    await tabTo(tab, /^text required/);
    await tab.keyboard.type('by keys');
    await press('Control+Enter');
    await tab.getByText('It waits for an answer').waitFor();
    // Answer its question.
    await tabTo(tab, /^Run work\.note/);
    await press('Enter');
    await tab.locator('article.question').waitFor();
    await tabTo(tab, /^Allow once$/);
    await press('Enter');
    await expect.poll(() => focused(tab)).toBe('Allowed once by you.');
    await expect.poll(() => page.home.read('spaces/work/notes').catch(() => 'none yet')).toBe('by keys\n');
    await tabTo(tab, /^Dismiss/);
    await press('Enter');
    await expect.poll(() => focused(tab)).toBe('Nothing waits for you.');
    // Look at the call.
    await press('l');
    await tab.getByRole('option').first().waitFor();
    await tabTo(tab, /^Calls$/);
    await press('ArrowUp', 'Enter');
    await tab.locator('article[aria-label="Call"]').waitFor();
    await press('Escape');
    await tab.locator('article[aria-label="Call"]').waitFor({ state: 'detached' });
    expect(await tab.evaluate(() => document.activeElement !== document.body)).toBe(true);
    // Look at it in the dark, and sign out.
    await press('h');
    await tabTo(tab, /^Look: system$/);
    await press('Enter');
    await expect.poll(() => focused(tab)).toBe('Look: light');
    await tabTo(tab, /^Sign out$/);
    await press('Enter', 'Enter');
    await tab.getByText('You have signed out of this browser.').waitFor();
  },
);
