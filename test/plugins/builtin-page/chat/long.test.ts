import { expect, test } from 'vitest';
import { fillChat, type Exchange } from '../../../kit/web/fill-chat.ts';
import { answersIn, scriptedChat } from '../../../kit/web/open-chat.ts';

const messages = 5_000;
/** Of them, answers with a result of a megabyte; all of them would be five gigabytes. */
const large = 120;

test('a chat of 5,000 messages with results of a megabyte is read in pages that stay small, and whole', async () => {
  await using chatting = await scriptedChat([{ text: 'The last.' }]);
  await chatting.write('The first');
  await chatting.until((now) => answersIn(now).length === 1);
  fillChat(chatting.page.home.path, chatting.chat, exchanges());
  const newest = await chatting.page.ask('chat/ctestchat');
  expect(JSON.stringify(newest.body).length).toBeLessThan(1_000_000);
  const seen: string[] = [];
  let page = await chatting.read();
  for (;;) {
    expect(page.items.length).toBeLessThanOrEqual(80);
    seen.unshift(...page.items.map(({ key }) => key));
    if (page.earlier === undefined) break;
    page = await chatting.read(page.earlier);
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(messages + 2);
  const [call] = answersIn(await chatting.read()).flatMap(({ calls }) => calls);
  expect(call).toMatchObject({ isCut: true, result: 'x'.repeat(2_000) });
  const { body } = await chatting.page.ask(`chat-result/${call!.id}`);
  expect((body as { readonly text: string }).text).toHaveLength(1_000_000);
});

function* exchanges(): Generator<Exchange> {
  const call = { tool: 'work.big', args: '{}', result: 'x'.repeat(1_000_000) };
  for (let at = 0; at < messages / 2; at++)
    yield { said: 'Hello', answer: 'Hello yourself', ...(at >= messages / 2 - large && { call }) };
}
