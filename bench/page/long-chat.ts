import type { Browser } from 'playwright-core';
import { openTab } from '../../test/kit/web/chromium.ts';
import { fillChat, type Exchange } from '../../test/kit/web/fill-chat.ts';
import { answersIn, scriptedChat } from '../../test/kit/web/open-chat.ts';
import type { Row } from '../kit/section.ts';
import { median, timed } from '../kit/statistics.ts';

const messages = 5_000;
/** Of them, answers with a result of a megabyte; all of them would be five gigabytes. */
const large = 120;
const rounds = 5;

/** From the click on a chat of 5,000 messages until its last one is seen. */
export async function measureLongChat(browser: Browser): Promise<readonly Row[]> {
  await using chatting = await scriptedChat([{ text: 'The first.' }]);
  await chatting.write('The first');
  await chatting.until((now) => answersIn(now).length === 1);
  fillChat(chatting.page.home.path, chatting.chat, exchanges());
  await using context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const { tab } = await openTab(context, chatting.page.link());
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await tab.goto(`${chatting.page.origin}/`);
    await tab.locator('.connection', { hasText: /^live$/ }).waitFor();
    const took = await timed(async () => {
      await tab.goto(`${chatting.page.origin}/chat/${chatting.chat}`);
      await tab.getByText(`Hello ${messages / 2 - 1}`, { exact: true }).waitFor();
    });
    if (round > 0) times.push(took);
  }
  return [
    {
      what: 'a chat of 5,000 messages with results of 1 MB opens',
      unit: 'ms',
      pegboard: median(times),
      target: { of: 'value', atMost: 1_000 },
    },
  ];
}

function* exchanges(): Generator<Exchange> {
  const call = { tool: 'work.big', args: '{}', result: 'x'.repeat(1_000_000) };
  for (let at = 0; at < messages / 2; at++)
    yield { said: `Hello ${at}`, answer: 'Hello yourself', ...(at >= messages / 2 - large && { call }) };
}
