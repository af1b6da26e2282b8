import { expect, test } from 'vitest';
import { anna, ben } from '../../kit/telegram/fake-bot-api.ts';
import { openBotHome } from './bot-home.ts';

test('a message is answered with formatting, and the model sees its id', async () => {
  await using bot = await openBotHome([{ text: 'Hello **Anna**, `1 < 2`' }]);
  const id = bot.telegram.write(anna, 'hi');
  const [answer] = await bot.sent(anna.id, 1);
  expect(answer).toMatchObject({
    text: 'Hello Anna, 1 < 2',
    entities: [
      { tag: 'b', text: 'Anna' },
      { tag: 'code', text: '1 < 2' },
    ],
  });
  expect(answer!.replyTo).toBeUndefined();
  expect(JSON.stringify(bot.model.requests[0]!.messages.at(-1))).toContain(`[tg:${id}] hi`);
  expect(bot.telegram.calls.some(({ method }) => method === 'sendChatAction')).toBe(true);
});

test('strangers get nothing but a code to pair with, once', async () => {
  await using bot = await openBotHome([{ text: 'for Anna' }]);
  bot.telegram.write(ben, 'let me in');
  bot.telegram.write(ben, 'please');
  const [offer] = await bot.sent(ben.id, 1);
  expect(offer!.text).toMatch(/pegboard telegram pair [A-Z2-9]{8}$/);
  bot.telegram.write(anna, 'hi');
  await bot.says(anna.id, 'for Anna');
  expect(bot.telegram.sentTo(ben.id)).toHaveLength(1);
  expect(bot.model.requests).toHaveLength(1);
});
