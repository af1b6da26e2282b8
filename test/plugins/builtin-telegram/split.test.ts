import { expect, test } from 'vitest';
import type { Script, ScriptedRequest } from '../../../host/testing/index.ts';
import { anna, ben } from '../../kit/telegram/fake-bot-api.ts';
import { createMovedClock, type MovedClock } from '../../kit/moved-clock.ts';
import { openBotHome, type BotHome } from './bot-home.ts';

const lastUser = ({ messages }: ScriptedRequest): string =>
  String(messages.findLast(({ role }) => role === 'user')?.content);

const splitMs = 1_000;

async function openSplit(
  clock: MovedClock,
  config = {},
  script: Script = (_request, index) => ({ text: `answer ${index + 1}` }),
): Promise<BotHome> {
  const environment = { ALLOWED_TELEGRAM_IDS: `${anna.id} ${ben.id}` };
  return await openBotHome(script, { clock, config, environment });
}

const standing = (): MovedClock => createMovedClock({ start: Date.now() });
const taken = ({ telegram }: BotHome): Promise<unknown> => telegram.until(() => telegram.pending === 0);

const full = 'x'.repeat(4_096);
const words = 'word '.repeat(700).trim();

test.for([
  ['a full message and its rest', [full, 'the end'], `${full}the end`],
  ['one that was split between two words', [words, 'the end'], `${words}\nthe end`],
  ['three of them', [full, words, 'the end'], `${full}${words}\nthe end`],
  ['a rest that looks like a command', [words, '/etc/passwd is a file'], `${words}\n/etc/passwd is a file`],
] as const)('%s are answered as one message', async ([, texts, whole]) => {
  const clock = standing();
  await using bot = await openSplit(clock);
  for (const text of texts) {
    bot.telegram.write(anna, text);
    await taken(bot);
    await clock.sleeper(splitMs);
  }
  while (bot.model.requests.length === 0) {
    clock.pass(splitMs);
    await Promise.race([bot.model.received(0), clock.sleeper(splitMs)]);
  }
  await bot.says(anna.id, 'answer 1');
  expect(lastUser(bot.model.requests[0]!)).toContain(whole);
  expect(bot.model.requests).toHaveLength(1);
});

const asksForStory: Script = ({ messages }) =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'thanks' }
    : { toolCalls: [{ name: 'telegram_ask', arguments: { question: 'Your story?' } }] };

test.for([
  ['as a reply', true],
  ['as a plain message', false],
] as const)('a long answer to a question counts as a whole, sent %s', async ([, isReply]) => {
  const clock = standing();
  await using bot = await openSplit(clock, {}, asksForStory);
  const { telegram, model } = bot;
  telegram.write(anna, 'ask me');
  const question = await bot.says(anna.id, 'Your story?');
  telegram.write(anna, full, isReply ? { reply_to: question.id } : {});
  await taken(bot);
  await clock.sleeper(splitMs);
  telegram.write(anna, 'the end');
  await taken(bot);
  clock.pass(splitMs);
  await bot.says(anna.id, 'thanks');
  expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain(`${full}the end`);
  telegram.write(anna, 'next');
  await bot.says(anna.id, 'thanks');
  expect(lastUser(await model.received(2))).toMatch(/next$/);
});

test('what comes later, is short before, or is of somebody else, is a message of its own', async () => {
  const clock = createMovedClock({ start: Date.now(), skipMs: splitMs });
  await using bot = await openSplit(clock, { groups: 'all' });
  bot.telegram.addGroup(-100, 'Friends');
  bot.telegram.write(anna, words, { chat: -100 });
  await bot.says(-100, 'answer 1');
  bot.telegram.write(anna, 'short', { chat: -100 });
  bot.telegram.write(anna, 'and short again', { chat: -100 });
  await bot.says(-100, 'answer 3');
  bot.telegram.write(anna, words, { chat: -100 });
  bot.telegram.write(ben, 'hello', { chat: -100 });
  await bot.says(-100, 'answer 5');
  expect(bot.model.requests.map((request) => lastUser(request).length > 3_000)).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
});

test('in a group, the rest of a text that mentions the bot is for the bot too', async () => {
  const clock = createMovedClock({ start: Date.now(), skipMs: splitMs });
  await using bot = await openSplit(clock);
  bot.telegram.addGroup(-100, 'Friends');
  bot.telegram.write(anna, `@peg_bot ${words}`, { chat: -100 });
  bot.telegram.write(anna, 'the end', { chat: -100 });
  await bot.says(-100, 'answer 1');
  expect(lastUser(bot.model.requests[0]!)).toContain(`${words}\nthe end`);
  bot.telegram.write(anna, 'just talking', { chat: -100 });
  bot.telegram.write(anna, '@peg_bot hi', { chat: -100 });
  await bot.says(-100, 'answer 2');
  expect(bot.model.requests).toHaveLength(2);
});

test('an edit that changes nothing is not answered again, one that changes something is', async () => {
  const clock = createMovedClock({ start: Date.now(), skipMs: splitMs });
  await using bot = await openSplit(clock);
  const { telegram } = bot;
  const id = telegram.write(anna, `${words} end`);
  await bot.says(anna.id, 'answer 1');
  telegram.edit(id, `${words} end`);
  telegram.write(anna, 'next');
  await bot.says(anna.id, 'answer 2');
  expect(lastUser(bot.model.requests[1]!)).toContain('next');
  telegram.edit(id, `${words} END`);
  await bot.says(anna.id, 'answer 3');
  telegram.edit(id, `${words} END`);
  telegram.edit(id, `${words} end`);
  await bot.says(anna.id, 'answer 4');
  expect(bot.model.requests.map((request) => /end$/i.exec(lastUser(request))?.[0])).toEqual([
    'end',
    undefined,
    'END',
    'end',
  ]);
});
