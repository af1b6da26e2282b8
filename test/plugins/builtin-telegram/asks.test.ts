import { expect, onTestFinished, test, vi } from 'vitest';
import { anna, ben } from '../../kit/telegram/fake-bot-api.ts';
import type { ScriptedReply } from '../../../host/testing/index.ts';
import { openBotHome } from './bot-home.ts';

const files = {
  'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
  'spaces/s/agent/tools/note.md': `---
id: note
name: note
description: Writes a line
confirm: true
parameters:
  - { name: text, type: string, required: true }
command: printf '%s\\n' {{text}} >> notes.txt
---
`,
};
const callThen = (text: string, call: ScriptedReply['toolCalls']): readonly ScriptedReply[] => [
  { toolCalls: call! },
  { text },
];

test('a confirmation shows the exact command, counts once and only from who was asked, and says who decided', async () => {
  const environment = { ALLOWED_TELEGRAM_IDS: `${anna.id}, ${ben.id}` };
  const script = callThen('noted', [{ name: 'note', arguments: { text: "it's" } }]);
  await using bot = await openBotHome(script, { files, environment });
  bot.telegram.write(anna, 'note it');
  const question = await bot.says(anna.id, /note/);
  expect(question.text).toContain(`printf '%s\\n' 'it'\\''s'`);
  expect(question.buttons.map(({ text }) => text)).toEqual(['Allow once', 'Always allow', 'Decline']);
  for (const { data } of question.buttons) expect(Buffer.byteLength(data!)).toBe(24);

  const foreign = bot.telegram.press(ben, question.id, 'Allow once');
  await bot.telegram.until(() => bot.telegram.answerTo(foreign) !== undefined);
  expect(bot.telegram.answerTo(foreign)).toBe('This question is for somebody else.');
  bot.telegram.press(anna, question.id, 'Allow once');
  const late = bot.telegram.press(anna, question.id, question.buttons[2]!.data!);
  await bot.says(anna.id, 'noted');
  await bot.telegram.until(() => bot.telegram.answerTo(late) !== undefined);
  expect(bot.telegram.answerTo(late)).toBe('This was answered already by Anna (@anna).');
  expect(question.text).toMatch(/✅ Allow once — Anna \(@anna\)$/);
  expect(question.buttons).toEqual([]);
  expect(await bot.home.read('spaces/s/notes.txt')).toBe("it's\n");
});

test.for([
  [
    'forwards past its time, it is void, and nothing runs',
    3_600_000,
    'This question has expired.',
    undefined,
  ],
  ['back, it is the same question, and counts once', -3_600_000, 'Allow once', 'x\n'],
] as const)('when the clock jumps while a confirmation waits, %s', async ([, jump, shown, written]) => {
  const script = callThen('noted', [{ name: 'note', arguments: { text: 'x' } }]);
  await using bot = await openBotHome(script, { files });
  bot.telegram.write(anna, 'note it');
  const question = await bot.says(anna.id, /note/);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jump });
  onTestFinished(() => void vi.useRealTimers());
  const press = bot.telegram.press(anna, question.id, 'Allow once');
  await bot.telegram.until(() => bot.telegram.answerTo(press) !== undefined);
  expect(bot.telegram.answerTo(press)).toBe(shown);
  if (written !== undefined) await bot.says(anna.id, 'noted');
  expect(await bot.home.read('spaces/s/notes.txt').catch(() => undefined)).toBe(written);
});

test('declined, it does not run, also with what to do instead; meanwhile other chats are answered', async () => {
  const environment = { ALLOWED_TELEGRAM_IDS: `${anna.id} ${ben.id}` };
  await using bot = await openBotHome(
    ({ messages }) => {
      const last = JSON.stringify(messages.at(-1));
      if (last.includes('from ben')) return { text: 'hello Ben' };
      if (last.includes('ask Ben first')) return { text: 'asking Ben' };
      return last.includes('declined') || last.includes('not run')
        ? { text: 'as you like' }
        : { toolCalls: [{ name: 'note', arguments: { text: 'x' } }] };
    },
    { files, environment },
  );
  bot.telegram.write(anna, 'note it');
  const question = await bot.says(anna.id, /note/);
  bot.telegram.write(ben, 'from ben');
  await bot.says(ben.id, 'hello Ben');
  bot.telegram.press(anna, question.id, 'Decline');
  await bot.says(anna.id, 'as you like');
  bot.telegram.write(anna, 'note it again');
  const again = await bot.telegram.until(() =>
    bot.telegram.sentTo(anna.id).find(({ id, buttons }) => id !== question.id && buttons.length > 0),
  );
  bot.telegram.write(anna, 'ask Ben first', { reply_to: again.id });
  await bot.says(anna.id, 'asking Ben');
  await expect(bot.home.read('spaces/s/notes.txt')).rejects.toThrow('ENOENT');
});

test('telegram_ask gives buttons for choices, and takes free text as a reply', async () => {
  const answers: string[] = [];
  await using bot = await openBotHome(({ messages }, index) => {
    if (index === 0)
      return {
        toolCalls: [{ name: 'telegram_ask', arguments: { question: 'Tea?', choices: ['Green', 'Black'] } }],
      };
    answers.push(JSON.stringify(messages.at(-1)));
    if (index === 1) return { toolCalls: [{ name: 'telegram_ask', arguments: { question: 'Your name?' } }] };
    return { text: 'thanks' };
  });
  bot.telegram.write(anna, 'ask me');
  const tea = await bot.says(anna.id, 'Tea?');
  bot.telegram.press(anna, tea.id, 'Black');
  const name = await bot.says(anna.id, 'Your name?');
  expect(name.forcesReply).toBe(true);
  bot.telegram.write(anna, 'Annabel', { reply_to: name.id });
  await bot.says(anna.id, 'thanks');
  expect(answers[0]).toContain('Black');
  expect(answers[1]).toContain('Annabel');
});

test('a file that is asked for is sent in the chat, and a text meanwhile is an answer to nothing', async () => {
  await using bot = await openBotHome(({ messages }, index) =>
    index === 0
      ? { toolCalls: [{ name: 'show_file_picker', arguments: { title: 'Which invoice?' } }] }
      : { text: `got ${JSON.stringify(messages.at(-1)).includes('total: 12') ? 'it' : 'nothing'}` },
  );
  const { telegram } = bot;
  telegram.write(anna, 'pay my invoice');
  const question = await bot.says(anna.id, /Which invoice\?[^]*Send the file here/);
  const huge = telegram.addFile(Buffer.from('x'), { size: 30 * 1024 * 1024 });
  telegram.write(anna, undefined, { document: { file_id: huge, file_name: 'huge.zip' } });
  await bot.says(anna.id, /file is too big\. Send another one, or decline/);
  const file_id = telegram.addFile(Buffer.from('total: 12'));
  telegram.write(anna, undefined, { document: { file_id, file_name: 'invoice.txt' } });
  await bot.says(anna.id, 'got it');
  expect(telegram.sentTo(anna.id).find(({ id }) => id === question.id)?.text).toContain('✅ invoice.txt');
});

test('whoever has no file declines', async () => {
  await using bot = await openBotHome(({ messages }, index) =>
    index === 0
      ? { toolCalls: [{ name: 'show_file_picker', arguments: { title: 'Which invoice?' } }] }
      : { text: JSON.stringify(messages.at(-1)).includes('No file was chosen') ? 'none then' : 'what?' },
  );
  bot.telegram.write(anna, 'pay my invoice');
  const question = await bot.says(anna.id, /Which invoice\?/);
  bot.telegram.press(anna, question.id, 'Decline');
  await bot.says(anna.id, 'none then');
});
