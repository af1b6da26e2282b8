import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifest } from '../../../kit/homes/home.ts';
import { launchBrowser, noBrowser, openTab, type Watched } from '../../../kit/web/chromium.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

const note = 'spaces/work/agent/tools/note.md';
const text = manifest('note', 'command: echo noted');

let page: ServedPage;
let browser: Browser;
beforeAll(async () => {
  page = await servePage({
    'pegboard.yaml': 'spaces: { theirs: { trusted: false } }\n',
    [note]: text,
    'spaces/work/agent/tools/windows.md': text.replaceAll('\n', '\r\n').replace('id: note', 'id: windows'),
    'spaces/theirs/agent/tools/other.md': manifest('other', 'command: echo'),
  });
  if (noBrowser === undefined) browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await page[Symbol.asyncDispose]();
});

/** A tab that shows a manifest, in a browser profile of its own. */
async function openManifest(
  path: string,
): Promise<{ readonly tab: Page; readonly watched: Watched; [Symbol.asyncDispose](): Promise<void> }> {
  const context = await browser.newContext();
  const { tab, watched } = await openTab(context, page.link());
  await tab.goto(`${page.origin}/manifests/${path}`);
  return { tab, watched, [Symbol.asyncDispose]: () => context.close() };
}

const textOf = (tab: Page): Promise<string> =>
  tab.locator('.cm-line').evaluateAll((lines) => lines.map((line) => line.textContent).join('\n'));

/** Types at the end of the text. */
async function typeAtEnd(tab: Page, typed: string): Promise<void> {
  await tab.getByRole('textbox', { name: /^Text of/ }).focus();
  await tab.keyboard.press('Control+End');
  await tab.keyboard.insertText(typed);
}

async function giveCode(tab: Page): Promise<void> {
  await tab.getByLabel('Code', { exact: true }).fill(page.code());
  await tab.keyboard.press('Enter');
}

test('by keys alone, a new tool is made, mended, saved and there', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using opened = await openManifest('');
  const { tab, watched } = opened;
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await tab.keyboard.press(key);
  };
  const tabTo = async (name: RegExp): Promise<void> => {
    for (let presses = 0; presses < 40; presses++) {
      const label = await tab.evaluate(() => {
        const at = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement!;
        return (
          at.getAttribute('aria-label') ?? (at as HTMLInputElement).labels?.[0]?.textContent ?? at.textContent
        );
      });
      if (name.test(label)) return;
      await press('Tab');
    }
    throw new Error(`Tab does not lead to ${name}.`);
  };
  await tabTo(/^New$/);
  await press('Enter');
  await tabTo(/^Name/);
  await tab.keyboard.type('shout');
  await tabTo(/^Space/);
  await tab.keyboard.type('work');
  await press('Enter');
  await tabTo(/^Text of spaces\/work\/agent\/tools\/shout\.md$/);
  await tab.getByText('Nothing is wrong with it.').waitFor();
  await tab.getByText('As a tool that models call').waitFor();
  expect(await page.home.read('spaces/work/agent/tools/shout.md').catch(() => 'none')).toBe('none');
  // Letters that lead to screens elsewhere are letters here, and keys are offered.
  await press('Control+Home', 'ArrowDown');
  await tab.keyboard.type('timo', { delay: 20 });
  await tab.locator('.cm-tooltip-autocomplete li', { hasText: 'timeout' }).waitFor();
  // What is offered first is not taken before it was looked at.
  await tab.waitForTimeout(200);
  await press('Enter');
  await tab.keyboard.type('many\n');
  await expect.poll(() => textOf(tab)).toContain('timeout: many');
  await tab.getByRole('button', { name: '2:10, go to this place' }).waitFor();
  await tab.getByText('Models are shown nothing of it.').waitFor();
  // The place of the mistake, and the mistake, are reached by keys.
  await tabTo(/^2:10, go to this place$/);
  await press('Enter', 'Shift+End');
  await tab.keyboard.type('30');
  await tab.getByText('Nothing is wrong with it.').waitFor();
  await press('Control+s');
  await tab.getByRole('dialog').waitFor();
  await tab.keyboard.type(page.code());
  await press('Enter');
  await tab.getByText('Saved. work.shout is in service as it stands here.').waitFor();
  expect(await page.home.read('spaces/work/agent/tools/shout.md')).toContain('timeout: 30');
  expect(page.host.registry.snapshot.find('work.shout')!.timeout).toBe(30);
  await tab.getByRole('option', { name: /work\.shout/ }).waitFor();
  await tabTo(/^Try it$/);
  await press('Enter');
  await tab.locator('article[aria-label="work.shout"]').waitFor();
  // Saving without a code was refused once, before the code was asked for.
  expect({ ...watched, errors: watched.errors.filter((one) => !one.includes('403')) }).toEqual({
    errors: [],
    outside: [],
  });
});

test('a text that was not saved stays over a reload, another tab, and signing out', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using opened = await openManifest(note);
  const { tab } = opened;
  await typeAtEnd(tab, 'kept');
  await tab.getByText('unsaved').first().waitFor();
  await tab.reload();
  await expect.poll(() => textOf(tab)).toContain('kept');
  const second = await tab.context().newPage();
  await second.goto(`${page.origin}/manifests/${note}`);
  await expect.poll(() => textOf(second)).toContain('kept');
  await typeAtEnd(second, ' here too');
  await expect.poll(() => textOf(tab)).toContain('kept here too');
  await second.close();
  await tab.bringToFront();
  const signOut = tab.getByRole('button', { name: 'Sign out' });
  await signOut.click();
  await tab.getByRole('button', { name: 'Press again to sign out' }).click();
  await tab.getByText('You have signed out').waitFor();
  await tab.goto(page.link());
  await tab.getByRole('navigation').first().waitFor();
  await tab.goto(`${page.origin}/manifests/${note}`);
  await expect.poll(() => textOf(tab)).toContain('kept here too');
  expect(await page.home.read(note)).toBe(text);
  await tab.getByRole('button', { name: 'Drop changes' }).click();
  await tab.getByRole('button', { name: 'Press again' }).click();
  await expect.poll(() => textOf(tab)).not.toContain('kept');
  await tab.reload();
  await expect.poll(() => textOf(tab)).toBe(text);
});

test('what changes on disk meanwhile is compared with both, and chosen', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using opened = await openManifest(note);
  const { tab } = opened;
  const theirs = manifest('note', 'command: echo theirs');
  await typeAtEnd(tab, 'Mine.');
  await page.home.write(note, theirs);
  await tab.getByRole('heading', { name: 'The file has changed on disk since you opened it' }).waitFor();
  await tab
    .getByRole('region', { name: 'What has changed on disk' })
    .getByText('+command: echo theirs')
    .waitFor();
  await tab.getByRole('region', { name: 'What you have changed' }).getByText('+Mine.').waitFor();
  await tab.keyboard.press('Control+s');
  expect(await page.home.read(note)).toBe(theirs);
  await tab.getByRole('button', { name: 'Take what is on disk' }).click();
  await expect.poll(() => textOf(tab)).toBe(theirs);
  // Mine is one step back.
  await tab.getByRole('textbox', { name: /^Text of/ }).focus();
  await tab.keyboard.press('Control+z');
  await expect.poll(() => textOf(tab)).toContain('Mine.');
  await page.home.write(note, text.replace('echo noted', 'echo theirs again'));
  await tab.getByRole('button', { name: 'Go on with mine' }).click();
  await tab.getByRole('button', { name: /^Save/ }).click();
  await giveCode(tab);
  await tab.getByText('Saved. work.note is in service').waitFor();
  expect(await page.home.read(note)).toContain('Mine.');
  expect(page.host.registry.snapshot.find('work.note')!.command).toBe('echo noted');
  // Deleted, and made again.
  await typeAtEnd(tab, ' Again.');
  await rename(join(page.home.path, note), join(page.home.path, 'gone'));
  await tab.getByRole('heading', { name: 'The file was deleted since you opened it' }).waitFor();
  await tab.getByRole('button', { name: 'Go on with mine' }).click();
  await tab.getByRole('button', { name: /^Save/ }).click();
  await expect.poll(() => page.home.read(note).catch(() => '')).toContain('Mine. Again.');
});

test('a broken text is saved, and the page says that the last good version runs on', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using opened = await openManifest('spaces/work/agent/tools/windows.md');
  const { tab } = opened;
  await tab.getByText('Nothing is wrong with it.').waitFor();
  await tab.getByRole('textbox', { name: /^Text of/ }).focus();
  await tab.keyboard.press('Control+Home');
  await tab.keyboard.press('ArrowDown');
  await tab.keyboard.insertText('wrong: 1\n');
  await tab.getByRole('button', { name: /^Save/ }).click();
  await giveCode(tab);
  await tab.getByText('the last good version of work.windows runs on').waitFor();
  // Its line ends are those that it had.
  const saved = await page.home.read('spaces/work/agent/tools/windows.md');
  expect(saved).toContain('---\r\nwrong: 1\r\nid: windows\r\n');
  expect(saved.replaceAll('\r\n', '')).not.toContain('\n');
});

test('what others write is only to be read, and says why', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using opened = await openManifest('spaces/theirs/agent/tools/other.md');
  const { tab } = opened;
  await tab.getByText('Only to be read here. Others write this space').waitFor();
  await tab.getByRole('textbox', { name: /^Text of/ }).focus();
  await tab.keyboard.type('x');
  expect(await textOf(tab)).toBe(manifest('other', 'command: echo'));
  expect(await tab.getByRole('button', { name: /^Save/ }).count()).toBe(0);
});

test('a hostile text is only a text, in the editor and in what is said of it', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  const act = 'globalThis.executed=1';
  const hostile = [
    `<img src=x onerror=${act}>`,
    `</style><script>${act}</script>`,
    `[a](javascript:${act})`,
    '![](https://evil.example/pixel.png)',
    '<link rel=stylesheet href="https://evil.example/x">',
  ];
  const file = 'spaces/hostile/agent/tools/bad.md';
  await page.home.write(
    file,
    `---\nid: bad\nname: ${JSON.stringify(hostile[0])}\ndescription: ${JSON.stringify(hostile.join(' '))}\nparameters:\n  - { name: a, type: string, description: ${JSON.stringify(hostile[1])} }\ncommand: echo {{a}}\n---\n\n${hostile.join('\n\n')}\n`,
  );
  await page.home.write(
    'spaces/hostile/agent/tools/worse.md',
    `---\nid: worse\n${JSON.stringify(hostile[0])}: \u202E${JSON.stringify(hostile[1])}\n---\n`,
  );
  await using opened = await openManifest(file);
  const { tab, watched } = opened;
  await tab.getByText('As a tool that models call').waitFor();
  await expect.poll(() => textOf(tab)).toContain(hostile[0]);
  await tab.goto(`${page.origin}/manifests/spaces/hostile/agent/tools/worse.md`);
  await tab.locator('.cm-specialChar', { hasText: '⟨U+202E⟩' }).waitFor();
  await tab.locator('.problems li').first().waitFor();
  await tab.locator('.cm-lint-marker').first().hover();
  await tab.locator('.cm-tooltip-lint').waitFor();
  // The editor puts pictures without a source beside a character that is spelled out.
  const made = tab.locator('main :is(img:not(.cm-widgetBuffer), img[src], iframe, link, script, [onerror])');
  expect(await made.count()).toBe(0);
  expect(await tab.evaluate(() => (globalThis as { executed?: number }).executed)).toBeUndefined();
  expect(watched).toEqual({ errors: [], outside: [] });
});
