import { expect, test } from 'vitest';
import { pegboard, startPegboard } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { isSoak } from '../../../kit/soak.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';

const kills = isSoak ? 20 : 3;

test('the page goes on by itself after its host was killed, and shows each call once', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using home = await createHome({
    'spaces/work/agent/tools/say.md': manifest(
      'say',
      'parameters: [{ name: text, type: string }]\ncommand: echo {{text}}',
    ),
  });
  const start = (port: string): ReturnType<typeof startPegboard> =>
    startPegboard(['dashboard', '--no-open', '--port', port], { home: home.path });
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
