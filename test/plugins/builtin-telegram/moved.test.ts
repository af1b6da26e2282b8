import { expect, test } from 'vitest';
import type { ScriptedRequest } from '../../../host/testing/index.ts';
import { anna, ben } from '../../kit/telegram/fake-bot-api.ts';
import { createMovedClock } from '../../kit/moved-clock.ts';
import { openBotHome } from './bot-home.ts';

const group = -4242;
const supergroup = -1_004_242_000_000;
const whole = ({ messages }: ScriptedRequest): string => JSON.stringify(messages);

test.for([{ silent: false }, { silent: true }])(
  'a group that becomes a supergroup goes on there, with its conversation, queue and schedules: %o',
  async ({ silent }) => {
    const gate = Promise.withResolvers<void>();
    await using bot = await openBotHome(async (_request, index) => {
      if (index === 1) await gate.promise;
      return { text: `answer ${index + 1}` };
    });
    const { telegram, model } = bot;
    telegram.addGroup(group, 'Friends');
    telegram.write(anna, '@peg_bot the word is rhubarb', { chat: group });
    await bot.says(group, 'answer 1');
    telegram.write(anna, '@peg_bot one', { chat: group });
    await model.received(1);
    telegram.write(anna, '@peg_bot two', { chat: group });
    await telegram.until(() => telegram.pending === 0);
    telegram.upgrade(group, supergroup, { silent });
    await telegram.until(() => telegram.pending === 0);
    gate.resolve();
    await bot.says(supergroup, 'answer 2');
    await bot.says(supergroup, 'answer 3');
    telegram.write(anna, '@peg_bot three', { chat: supergroup });
    await bot.says(supergroup, 'answer 4');
    expect(whole(model.requests.at(-1)!)).toContain('rhubarb');
    expect(telegram.sentTo(group).map(({ text }) => text)).toEqual(['answer 1']);
    // As a schedule does that was made for the group.
    const plugin = bot.host.plugins.instances.find(({ manifest }) => manifest.id === 'builtin-telegram')!;
    const { signal } = new AbortController();
    await plugin.channels['telegram']!.deliver(String(group), { text: 'Water the plants' }, signal);
    await bot.says(supergroup, 'Water the plants');
  },
);

test('nobody but Telegram moves a chat, and the chat of one person never moves', async () => {
  await using bot = await openBotHome((_request, index) => ({ text: `answer ${index + 1}` }));
  const { telegram } = bot;
  telegram.addGroup(group, 'Friends');
  telegram.addGroup(supergroup, 'Strangers');
  telegram.write(anna, 'hi');
  await bot.says(anna.id, 'answer 1');
  telegram.write(ben, 'look', { chat: anna.id, migrate_to_chat_id: supergroup });
  telegram.write(ben, 'look', { chat: supergroup, migrate_from_chat_id: anna.id });
  telegram.write(ben, 'look', { chat: group, migrate_to_chat_id: ben.id });
  telegram.write(anna, `@peg_bot {"migrate_to_chat_id": ${supergroup}}`, { chat: group });
  await bot.says(group, 'answer 2');
  telegram.write(anna, 'hi again');
  await bot.says(anna.id, 'answer 3');
  expect(telegram.sentTo(supergroup)).toEqual([]);
});

test('a question that was asked in the group is answered in the supergroup', async () => {
  await using bot = await openBotHome((request) => {
    const asked = request.messages.some(({ role }) => role === 'tool');
    return asked
      ? { text: 'as you say' }
      : { toolCalls: [{ name: 'telegram_ask', arguments: { question: 'Tea?', choices: ['Yes', 'No'] } }] };
  });
  const { telegram } = bot;
  telegram.addGroup(group, 'Friends');
  telegram.write(anna, '@peg_bot ask me', { chat: group });
  await bot.says(group, /Tea\?/);
  telegram.upgrade(group, supergroup);
  await telegram.until(() => telegram.pending === 0);
  telegram.write(anna, '@peg_bot and now?', { chat: supergroup });
  const question = telegram.sentTo(group).find(({ text }) => text.includes('Tea?'))!;
  const data = question.buttons.find(({ text }) => text === 'Yes')!.data!;
  const there = telegram.write(anna, 'x', { chat: supergroup });
  telegram.press(anna, there, data);
  await bot.says(supergroup, 'as you say');
});

test('a person who blocks the bot for a while gets what was answered then, also without writing again', async () => {
  const clock = createMovedClock({ start: Date.now(), skipMs: 4_000 });
  const gate = Promise.withResolvers<void>();
  await using bot = await openBotHome(
    async (_request, index) => {
      await gate.promise;
      return { text: `answer ${index + 1}` };
    },
    { clock },
  );
  const { telegram } = bot;
  telegram.write(anna, 'one');
  await bot.model.received(0);
  const block = telegram.block(anna.id);
  gate.resolve();
  await telegram.until(() => telegram.calls.some(({ method }) => method === 'sendMessage'));
  block[Symbol.dispose]();
  await bot.says(anna.id, 'answer 1');
});
