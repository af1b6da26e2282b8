import { expect, test } from 'vitest';
import { pegboard, startPegboard } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { rounds } from '../../../kit/run/tiers.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { sayTool } from '../../../kit/web/say-tool.ts';

const kills = rounds({ all: 3, soak: 20 });

test('the page goes on by itself after its host was killed, and shows each call once', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using home = await createHome(sayTool);
  const start = (port: string): ReturnType<typeof startPegboard> =>
    startPegboard(['dashboard', '--no-open', '--port', port], { home: home.path, apart: true });
  let running = start('0');
  const [link = ''] = /http:\S+/.exec(await running.next(/http:\S+\s/)) ?? [];
  const { port } = new URL(link);
  await using browser = await launchBrowser();
  await using opened = await browser.newContext();
  const { tab } = await openTab(opened, link);
  await tab.goto(`${new URL(link).origin}/trace`);
  const waits: number[] = [];
  for (let round = 0; round < kills; round++) {
    await tab.locator('.connection', { hasText: /^live$/ }).waitFor();
    running.child.kill('SIGKILL');
    await running.ended;
    await tab.locator('.connection', { hasText: 'not connected' }).waitFor();
    // Of another process, while no page is served.
    const { code } = await pegboard(['call', 'say', `text=round ${round}`], { home: home.path });
    expect(code).toBe(0);
    running = start(port);
    await running.next(/http:\S+\s/);
    const ready = performance.now();
    await tab.locator('.connection', { hasText: /^live$/ }).waitFor();
    waits.push(Math.round(performance.now() - ready));
    await expect.poll(() => tab.getByRole('option').count()).toBe(round + 1);
  }
  console.log(`live again after ${waits.join(', ')} ms`);
  await running[Symbol.asyncDispose]();
});

test('what was typed into a manifest stays when its host is killed, and is saved by the next one', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  const file = 'spaces/work/agent/tools/say.md';
  await using home = await createHome({ [file]: manifest('say', 'command: echo one') });
  const start = (port: string): ReturnType<typeof startPegboard> =>
    startPegboard(['dashboard', '--no-open', '--port', port], { home: home.path, apart: true });
  const first = start('0');
  const [link = ''] = /http:\S+/.exec(await first.next(/http:\S+\s/)) ?? [];
  const { port, origin } = new URL(link);
  await using browser = await launchBrowser();
  await using opened = await browser.newContext();
  const { tab } = await openTab(opened, link);
  await tab.goto(`${origin}/manifests/${file}`);
  const type = async (text: string): Promise<void> => {
    await tab.getByRole('textbox', { name: `Text of ${file}` }).focus();
    await tab.keyboard.press('Control+End');
    await tab.keyboard.insertText(text);
  };
  await type('Before, ');
  first.child.kill('SIGKILL');
  await first.ended;
  await tab.locator('.connection', { hasText: 'not connected' }).waitFor();
  await type('meanwhile, ');
  await using second = start(port);
  await second.next(/http:\S+\s/);
  await tab.locator('.connection', { hasText: /^live$/ }).waitFor();
  await tab.reload();
  await type('after.');
  await tab.getByRole('button', { name: /^Save/ }).click();
  const { stdout } = await pegboard(['dashboard', 'code'], { home: home.path });
  await tab.getByLabel('Code', { exact: true }).fill(/[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(stdout)![0]);
  await tab.keyboard.press('Enter');
  await tab.getByText('Saved. work.say is in service').waitFor();
  expect(await home.read(file)).toContain('Before, meanwhile, after.');
});
