import { expect, test } from 'vitest';
import { listedTool, listingEntry, listingServer } from '../../../kit/mcp/listing-server.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { fillChat } from '../../../kit/web/fill-chat.ts';
import { expectOnlyTexts, hostileTexts as texts, watchForExecution } from '../../../kit/web/hostile-texts.ts';
import { answersIn, scriptedChat } from '../../../kit/web/open-chat.ts';

/** Of each text: what was said, the answer, a file, and a call with its tool, arguments and result. */
const placesInChat = 6;

/** As a name in a file: without what ends it. */
const named = (text: string): string => text.slice(0, 60).replaceAll(/[\n\0]/g, ' ');

test('500 hostile texts in a chat, of servers and of agents are texts', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  expect(texts.length * placesInChat).toBeGreaterThanOrEqual(500);
  await using chatting = await scriptedChat([{ text: 'The first.' }], {
    'pegboard.local.yaml': JSON.stringify({ mcpServers: { theirs: listingEntry } }),
    ...listingServer(
      texts.map((text, at) => listedTool(`tool_${at}`, text)),
      { stderr: `${texts.join('\n')}\n` },
    ),
    ...Object.fromEntries(
      texts.map((text, at) => [
        `spaces/theirs/agent/agents/a${at}.yaml`,
        JSON.stringify({ name: named(text), description: text }),
      ]),
    ),
  });
  const { page, chat } = chatting;
  await chatting.write('The first');
  await chatting.until((now) => answersIn(now).length === 1);
  fillChat(
    page.home.path,
    chat,
    texts.map((text) => ({
      said: text,
      answer: text,
      file: named(text),
      call: { tool: named(text), args: JSON.stringify({ [named(text)]: text }), result: text },
    })),
  );
  await using browser = await launchBrowser();
  await using opened = await browser.newContext({ viewport: { width: 900, height: 700 } });
  const { tab, watched } = await openTab(opened, page.link());
  await watchForExecution(tab);
  const go = (path: string): Promise<void> =>
    tab.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);

  await go(`/chat/${chat}`);
  await expect
    .poll(() =>
      tab.evaluate(() => {
        const buttons = [...document.querySelectorAll('button')];
        buttons.find(({ textContent }) => textContent === 'Earlier messages')?.click();
        return document.querySelectorAll('.turn.answer').length;
      }),
    )
    .toBeGreaterThan(texts.length);
  await tab.evaluate(() => {
    for (const call of document.querySelectorAll('details.call')) (call as HTMLDetailsElement).open = true;
  });
  await expect.poll(() => tab.locator('details.call pre').count()).toBeGreaterThan(texts.length);

  await page.host.servers.get('theirs')!.connect();
  await go('/servers/theirs');
  await tab.locator('.log').first().waitFor();
  await go('/agents');
  await tab.getByRole('link', { name: 'a7', exact: false }).first().waitFor();
  const longest = await expectOnlyTexts(tab, watched);
  console.log(
    `${texts.length * placesInChat} texts in a chat, the longest task took ${Math.round(longest)} ms`,
  );
});
