import { expect, test } from 'vitest';
import type { ChatPage } from '../../../plugins/builtin-page/chat/wire.ts';
import { startPegboard } from '../../kit/cli.ts';
import { leaveJobs } from '../../kit/engine/left-jobs.ts';
import { createHome } from '../../kit/homes/home.ts';
import { describePostgres, postgresUrl } from '../../kit/postgres.ts';
import { launchBrowser, noBrowser, openTab } from '../../kit/web/chromium.ts';
import { servePage } from '../../kit/web/served-page.ts';

test('hosts are shown only where something waits for long', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage();
  await using browser = await launchBrowser();
  await using opened = await browser.newContext();
  const { tab, watched } = await openTab(opened, page.link());
  expect((await page.ask('hosts')).body).toMatchObject({ isWorthShowing: false });
  const asked = tab.waitForEvent('requestfinished', (request) => request.url().endsWith('/api/hosts'));
  await tab.reload();
  await asked;
  await tab.getByRole('heading', { name: 'Spaces' }).waitFor();
  expect(await tab.getByRole('heading', { name: 'Hosts' }).count()).toBe(0);
  await leaveJobs(page.home.path);
  await tab.reload();
  const hosts = tab.getByRole('region', { name: 'Hosts' });
  await hosts.getByText(/^1 waiting, the oldest for \d min \d+ s$/).waitFor();
  await hosts.getByText('letters').waitFor();
  expect(watched).toMatchObject({ errors: [], outside: [] });
});

describePostgres('several hosts on the page', () => {
  test('each is shown with its roles', async (context) => {
    if (noBrowser !== undefined) return context.skip(noBrowser);
    const files = { 'pegboard.local.yaml': `state: ${await postgresUrl()}` };
    await using other = await createHome(files);
    await using host = startPegboard(['start'], { home: other.path, apart: true });
    await host.waitFor(/running \d/);
    await using page = await servePage(files);
    await using browser = await launchBrowser();
    await using opened = await browser.newContext();
    const { tab } = await openTab(opened, page.link());
    const hosts = tab.getByRole('region', { name: 'Hosts' });
    const row = (pid: number | undefined) => hosts.getByRole('listitem').filter({ hasText: `/${pid}` });
    await expect
      .poll(async () => {
        await tab.reload();
        await tab.getByRole('heading', { name: 'Spaces' }).waitFor();
        return await hosts.count();
      })
      .toBe(1);
    expect(await row(host.child.pid).innerText()).toMatch(/live.*\s+.*core\.watchers/i);
    expect(await row(process.pid).innerText()).toMatch(/live.*this one/i);
  });

  test('two hosts of one folder both take messages from their pages', async () => {
    await using home = await createHome({ 'pegboard.local.yaml': `state: ${await postgresUrl()}` });
    await using one = await servePage({}, home);
    await using other = await servePage({}, home);
    const write = async (page: typeof one, chat: string): Promise<unknown> =>
      (await page.ask(`chat/${chat}`, { body: { id: 'mabcdefgh', text: 'Hello' } })).status;
    expect(await write(one, 'c00000001')).toBe(200);
    expect(await write(other, 'c00000002')).toBe(200);
    for (const chat of ['c00000001', 'c00000002'])
      await expect
        .poll(async () => {
          const { body } = await one.ask(`chat/${chat}`);
          return (body as ChatPage).items.map((item) => ('text' in item ? item.text : ''));
        })
        .toEqual(['Hello', expect.stringContaining("I can't answer")]);
  });
});
