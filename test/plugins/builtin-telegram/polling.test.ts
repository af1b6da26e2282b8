import { expect, test } from 'vitest';
import { anna, type FakeBotApi, type FakeFault } from '../../kit/fake-bot-api.ts';
import { openBotHome } from './bot-home.ts';

/** Milliseconds that it may take after a fault has ended. */
const limit = 10_000;
const next = (telegram: FakeBotApi): Promise<unknown> => {
  const before = telegram.calls.length;
  return telegram.until(() => telegram.calls.slice(before).some(({ method }) => method === 'getUpdates'));
};

const faults: readonly (readonly [string, FakeFault])[] = [
  ['a connection that hangs', 'hang'],
  ['a connection that breaks off', 'cut'],
  ['409 by another poller', { status: 409, description: 'Conflict: terminated by other getUpdates request' }],
  ['429 with retry_after', { status: 429, retryAfter: 1 }],
  ['a 502', { status: 502 }],
];

test.concurrent.each(faults)('after %s, messages come again within ten seconds', async (_name, fault) => {
  await using bot = await openBotHome(() => ({ text: 'here again' }));
  await next(bot.telegram);
  const undo = bot.telegram.fail('getUpdates', fault);
  bot.telegram.write(anna, 'wake up');
  await next(bot.telegram);
  undo[Symbol.dispose]();
  const over = Date.now();
  bot.telegram.write(anna, 'are you there?');
  await bot.telegram.until(() => bot.telegram.pending === 0);
  expect(Date.now() - over).toBeLessThan(limit);
  await bot.sent(anna.id, 2);
});

test.concurrent('refused connections are waited out, and the answer is sent once they end', async () => {
  await using bot = await openBotHome(async () => {
    await bot.telegram.down();
    setTimeout(() => void bot.telegram.up(), 1_500);
    return { text: 'through' };
  });
  bot.telegram.write(anna, 'hi');
  await bot.says(anna.id, 'through');
  const over = Date.now();
  bot.telegram.write(anna, '/start');
  await bot.sent(anna.id, 2);
  expect(Date.now() - over).toBeLessThan(limit);
});

// The answers to commands, because they are never streamed.
test.concurrent('an answer that is refused with 429 is sent when Telegram allows it, once', async () => {
  await using bot = await openBotHome([]);
  bot.telegram.fail('sendMessage', { status: 429, retryAfter: 1 }, 2);
  bot.telegram.write(anna, '/new');
  await bot.says(anna.id, 'A fresh conversation.');
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
});

test.concurrent('an answer of which nobody knows whether it arrived is not sent twice, and that is said', async () => {
  await using bot = await openBotHome([]);
  bot.telegram.fail('sendMessage', 'cut-after', 1);
  const id = bot.telegram.write(anna, '/new');
  const told = await bot.says(anna.id, /^⚠️/);
  expect(told.replyTo).toBe(id);
  expect(bot.telegram.sentTo(anna.id).map(({ text }) => text)).toEqual(['A fresh conversation.', told.text]);
});

test.concurrent('HTML that Telegram refuses is sent as plain text', async () => {
  await using bot = await openBotHome([]);
  bot.telegram.fail('sendMessage', { status: 400, description: "Bad Request: can't parse entities: x" }, 1);
  bot.telegram.write(anna, '/start');
  const answer = await bot.says(anna.id, /^Pegboard/);
  expect(answer.entities).toEqual([]);
});
