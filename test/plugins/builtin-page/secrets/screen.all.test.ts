import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { manifest } from '../../../kit/homes/home.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

const value = 'k9Zq-3vXw-7Rty-1uPo-5sDf';

async function tabTo(tab: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    const at = await tab.evaluate(() => {
      const focused = document.activeElement as HTMLInputElement;
      return focused.ariaLabel ?? focused.labels?.[0]?.textContent ?? focused.textContent;
    });
    if (at?.startsWith(name)) return;
    await tab.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}.`);
}
const prove = async (tab: Page, page: ServedPage): Promise<void> => {
  await tab.getByLabel('Code', { exact: true }).waitFor();
  await tab.keyboard.type(page.code());
  await tab.keyboard.press('Enter');
};

test('a missing secret is stored by keys alone, its tool is let have it, and it is deleted', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage({
    'spaces/work/agent/tools/publish.md': manifest(
      'publish',
      'command: echo published\nenvironment: { TOKEN: "${REGISTRY_TOKEN}" }',
    ),
  });
  await using browser = await launchBrowser();
  await using opened = await browser.newContext({ viewport: { width: 320, height: 720 } });
  const { tab, watched } = await openTab(opened, page.link());
  const sent: string[] = [];
  tab.on('request', (request) => {
    if (`${request.url()} ${request.postData() ?? ''}`.includes(value)) sent.push(request.url());
  });
  await tab.keyboard.press('k');
  await tab.getByRole('heading', { name: '1 secret is missing.' }).waitFor();
  await tabTo(tab, 'Value of REGISTRY_TOKEN');
  await tab.keyboard.type(value);
  await tab.keyboard.press('Enter');
  // The code comes first: nothing was sent yet.
  await tab.getByLabel('Code', { exact: true }).waitFor();
  expect(sent).toEqual([]);
  await prove(tab, page);
  await tab.getByText('REGISTRY_TOKEN is stored.').waitFor();
  expect(page.host.secrets.get('REGISTRY_TOKEN')).toBe(value);
  expect(sent).toEqual([`${page.origin}/api/secret-set/REGISTRY_TOKEN`]);
  await tab.getByRole('heading', { name: 'Every secret that something needs is there.' }).waitFor();
  await expect.poll(() => tab.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('status');
  const kept = await tab.evaluate(() =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      history.state,
      location.href,
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map((one) => one.value),
    ]),
  );
  expect(kept).not.toContain(value);

  await tabTo(tab, 'Let it have it');
  await tab.keyboard.press('Enter');
  await tab.getByText('would get REGISTRY_TOKEN and run without asking').waitFor();
  await tabTo(tab, 'Let it have it needs a code');
  await tab.keyboard.press('Enter');
  await tab
    .getByText('work.publish gets REGISTRY_TOKEN without asking, until its manifest changes.')
    .waitFor();
  expect(page.host.approvals.list()).toMatchObject([{ tool: 'work.publish' }]);
  await tabTo(tab, 'Take it back');
  await tab.keyboard.press('Enter');
  await tab.getByText('work.publish asks again before it runs.').waitFor();
  expect(page.host.approvals.list()).toEqual([]);

  await tabTo(tab, 'Delete REGISTRY_TOKEN');
  await tab.keyboard.press('Enter');
  await tabTo(tab, 'Keep it');
  await tab.keyboard.press('Enter');
  await expect
    .poll(() => tab.evaluate(() => document.activeElement?.ariaLabel))
    .toBe('Delete REGISTRY_TOKEN');
  await tab.keyboard.press('Enter');
  await tabTo(tab, 'Delete it');
  await tab.keyboard.press('Enter');
  await tab.getByText('REGISTRY_TOKEN is deleted.').waitFor();
  await tab.getByRole('heading', { name: '1 secret is missing.' }).waitFor();
  const errors = watched.errors.filter((text) => !text.includes('status of 403'));
  expect({ ...watched, errors }).toEqual({ errors: [], outside: [] });
});

test('a value of several lines is not joined, and one that is given up is gone', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage();
  await using browser = await launchBrowser();
  await using opened = await browser.newContext();
  const { tab } = await openTab(opened, page.link());
  await tab.keyboard.press('k');
  await tab.getByRole('button', { name: 'New secret…' }).click();
  await tab.getByLabel('Name', { exact: true }).fill('SSH_KEY');
  const field = tab.getByLabel('Value', { exact: true });
  const paste = (text: string): Promise<boolean> =>
    field.evaluate((one, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', pasted);
      return one.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true }),
      );
    }, text);
  expect(await paste('one\ntwo\n')).toBe(false);
  await tab.getByText('secret set SSH_KEY < FILE').waitFor();
  // A line end at its end alone is no second line.
  expect(await paste('one\n')).toBe(true);
  await field.fill(value);
  await tab.getByRole('button', { name: 'Store it' }).click();
  await tab.getByRole('button', { name: 'Cancel' }).click();
  expect(page.host.secrets.list()).toEqual([]);
  await tab.keyboard.press('Escape');
  await tab.getByRole('link', { name: 'Usage' }).click();
  await tab.goBack();
  await tab.getByRole('button', { name: 'New secret…' }).click();
  expect(await field.inputValue()).toBe('');
});
