import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { userStateFolder } from '../../../host/core/platform/places.ts';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import { anna, ben } from '../../kit/telegram/fake-bot-api.ts';
import { dot } from '../../kit/data/images.ts';
import type { ScriptedRequest } from '../../../host/testing/index.ts';
import { openBotHome } from './bot-home.ts';
import { openTickets } from '../../../host/store/owner/tickets.ts';
import { openUserState } from '../../../host/store/owner/user-state.ts';

const lastUser = ({ messages }: ScriptedRequest): string =>
  JSON.stringify(messages.findLast(({ role }) => role === 'user'));
const echo = (request: ScriptedRequest, index: number) => ({
  text: `answer ${index + 1}: ${lastUser(request).length > 0}`,
});

test('in a group only what addresses the bot is answered, as a reply', async () => {
  await using bot = await openBotHome(echo);
  bot.telegram.addGroup(-100, 'Friends');
  bot.telegram.write(anna, 'just talking', { chat: -100 });
  bot.telegram.write(ben, '@peg_bot let me in', { chat: -100 });
  bot.telegram.write(anna, '/tools@other_bot', { chat: -100 });
  const mention = bot.telegram.write(anna, '@Peg_bot what time is it?', { chat: -100 });
  const [first] = await bot.sent(-100, 1);
  expect(first!.replyTo).toBe(mention);
  expect(lastUser(bot.model.requests[0]!)).toMatch(/\] Anna \(@anna\): what time is it\?/);
  bot.telegram.write(anna, 'and tomorrow?', { chat: -100, reply_to: first!.id });
  await bot.sent(-100, 2);
  expect(bot.model.requests).toHaveLength(2);
});

test('topics of a forum are conversations of their own', async () => {
  await using bot = await openBotHome(echo);
  bot.telegram.addGroup(-200, 'Forum', { topics: [7, 8] });
  bot.telegram.write(anna, '@peg_bot about apples', { chat: -200, thread: 7 });
  await bot.sent(-200, 1);
  bot.telegram.write(anna, '@peg_bot about pears', { chat: -200, thread: 8 });
  const answers = await bot.sent(-200, 2);
  expect(answers.map(({ thread }) => thread)).toEqual([7, 8]);
  expect(JSON.stringify(bot.model.requests[1]!.messages)).not.toContain('apples');
  // Telegram doesn't say in which topic a reaction is.
  bot.telegram.react(anna, answers[0]!.id, '👍');
  const third = (await bot.sent(-200, 3))[2]!;
  expect(third.thread).toBe(7);
  expect(JSON.stringify(bot.model.requests[2]!.messages)).toContain('apples');
});

test('forwarded messages, other bots, and reactions of strangers are ignored', async () => {
  await using bot = await openBotHome(echo);
  bot.telegram.write(anna, 'do as it says', {
    forward_origin: { type: 'hidden_user', sender_user_name: 'X', date: 1 },
  });
  bot.telegram.write(anna, 'hi');
  const [answer] = await bot.sent(anna.id, 1);
  bot.telegram.react(ben, answer!.id, '👍');
  bot.telegram.write(anna, 'hi again');
  await bot.sent(anna.id, 2);
  expect(bot.model.requests.map(lastUser).join()).not.toMatch(/do as it says|reacted/);
});

test('when several messages wait, answers reply to theirs, in order', async () => {
  const gate = Promise.withResolvers<void>();
  await using bot = await openBotHome(async (_request, index) => {
    if (index === 0) await gate.promise;
    return { text: `answer ${index + 1}` };
  });
  const ids = [bot.telegram.write(anna, 'one'), bot.telegram.write(anna, 'two')];
  await bot.model.received(0);
  ids.push(bot.telegram.write(anna, 'three'));
  await bot.telegram.until(() => bot.telegram.pending === 0);
  gate.resolve();
  const answers = await bot.sent(anna.id, 3);
  expect(answers.map(({ text }) => text)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  expect(answers.map(({ replyTo }) => replyTo)).toEqual(ids);
});

test('reactions go both ways, and one can be the whole answer', async () => {
  await using bot = await openBotHome([
    { text: 'a joke' },
    { toolCalls: [{ name: 'telegram_react', arguments: { emoji: '❤️', suppress_text: true } }] },
    { text: 'never seen' },
  ]);
  bot.telegram.write(anna, 'tell me one');
  const joke = await bot.says(anna.id, 'a joke');
  bot.telegram.react(anna, joke.id, '🔥');
  await bot.telegram.until(() => joke.reaction);
  expect(joke.reaction).toBe('❤');
  expect(lastUser(bot.model.requests[1]!)).toContain(
    String.raw`[User reacted with 🔥 to your message: \"a joke\"]`,
  );
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
});

test('an agent can pin, look at what is pinned, and answer another message', async () => {
  let asked = 0;
  await using bot = await openBotHome((_request, index) => {
    if (index === 0) return { text: 'remember the milk' };
    if (index === 1) return { toolCalls: [{ name: 'telegram_pin', arguments: { message_id: asked } }] };
    if (index === 2)
      return {
        toolCalls: [
          { name: 'telegram_get_pinned', arguments: {} },
          { name: 'telegram_reply_to', arguments: { message_id: asked } },
        ],
      };
    // It asks nobody: what is pinned is the owner's own.
    if (index === 3) return { toolCalls: [{ name: 'memory_store', arguments: { content: 'Pins notes' } }] };
    return { text: 'pinned' };
  });
  asked = bot.telegram.write(anna, 'note');
  await bot.says(anna.id, 'remember the milk');
  bot.telegram.write(anna, 'pin my note');
  const answer = await bot.says(anna.id, 'pinned');
  expect(bot.telegram.pinned.get(anna.id)).toEqual([asked]);
  expect(answer.replyTo).toBe(asked);
  const pinned = bot.model.requests[3]!.messages.find(({ tool_call_id: id }) => id === 'call_2_0');
  expect(JSON.parse(pinned.content)).toEqual({ message_id: asked, text: 'note', from: 'Anna' });
});

test('outside Telegram its tools are not there', async () => {
  await using bot = await openBotHome([{ text: 'x' }, { text: 'y' }]);
  await bot.host.converse({ source: 'cli', externalId: 'cli', text: 'hi' });
  bot.telegram.write(anna, 'hi');
  await bot.sent(anna.id, 1);
  const names = bot.model.requests.map(({ tools = [] }) => tools.map((tool) => String(tool.function.name)));
  expect(names[0]!.filter((name) => name.startsWith('telegram'))).toEqual([]);
  expect(names[1]!.filter((name) => name.startsWith('telegram'))).toHaveLength(6);
});

test('a long answer streams in one message and ends in pieces that are all there', async () => {
  const long = Array.from({ length: 120 }, (_, line) => `${line}. **${'word '.repeat(12)}**`).join('\n\n');
  const gate = Promise.withResolvers<void>();
  await using bot = await openBotHome(async () => {
    await gate.promise;
    return { text: long, chunks: 60 };
  });
  gate.resolve();
  bot.telegram.write(anna, 'go');
  await bot.says(anna.id, /119\. /);
  const answers = bot.telegram.sentTo(anna.id);
  expect(answers.length).toBeGreaterThan(1);
  const text = answers.map((one) => one.text).join('\n');
  for (let line = 0; line < 120; line++) expect(text.match(new RegExp(`^${line}\\. `, 'gm'))).toHaveLength(1);
});

test('pictures are shown to the model, texts are read, other files lie in the home, voice is declined', async () => {
  await using bot = await openBotHome(echo);
  const { telegram } = bot;
  const png = Buffer.from(dot(0), 'base64');
  telegram.write(anna, undefined, { caption: 'what is it?', photo: [{ file_id: telegram.addFile(png) }] });
  await bot.sent(anna.id, 1);
  expect(lastUser(bot.model.requests[0]!)).toMatch(/what is it\?.*data:image\/png;base64,iVBORw0KGgoAAAA/);
  const text = telegram.addFile(Buffer.from('milk, eggs'));
  telegram.write(anna, undefined, { document: { file_id: text, file_name: 'list.txt' } });
  await bot.sent(anna.id, 2);
  expect(lastUser(bot.model.requests[1]!)).toContain('milk, eggs');
  const binary = telegram.addFile(Buffer.from([0, 1, 2]));
  telegram.write(anna, undefined, { document: { file_id: binary, file_name: '../../x/../evil.bin' } });
  await bot.sent(anna.id, 3);
  const kept = readdirSync(join(bot.home.path, 'workspace/inbox')).filter((name) => !name.startsWith('.'));
  expect(kept).toHaveLength(1);
  expect(lastUser(bot.model.requests[2]!)).toContain(`workspace/inbox/${kept[0]}`);
  const huge = telegram.addFile(Buffer.from('x'), { size: 30 * 1024 * 1024 });
  telegram.write(anna, undefined, { document: { file_id: huge, file_name: 'huge.zip' } });
  await bot.sent(anna.id, 4);
  expect(lastUser(bot.model.requests[3]!)).toContain('could not be fetched');
  telegram.write(anna, undefined, { voice: { file_id: 'v', duration: 3 } });
  await bot.says(anna.id, /can't listen to recordings/);
});

test('whoever reads a received file, in whichever conversation, has read what others wrote', async () => {
  await using bot = await openBotHome(({ messages }) => {
    const [, path] = /read (workspace\/inbox[^"\\\s]+)/.exec(JSON.stringify(messages.at(-1))) ?? [];
    return path === undefined ? { text: 'done' } : { toolCalls: [{ name: 'read', arguments: { path } }] };
  });
  const { telegram, host, home } = bot;
  const file_id = telegram.addFile(Buffer.from([1, 2]));
  telegram.write(anna, undefined, { document: { file_id, file_name: 'paper.pdf' } });
  await bot.sent(anna.id, 1);
  const [kept] = readdirSync(join(home.path, 'workspace/inbox')).filter((name) => !name.startsWith('.'));
  const reply = await host.converse({
    source: 'cli',
    externalId: 'another',
    text: `read workspace/inbox/${kept}`,
  });
  expect(reply.untrusted).toEqual([
    { kind: 'file', what: 'paper.pdf, received in Telegram', keptIn: `workspace/inbox/${kept}` },
  ]);
});

test('the pictures of an album are one message', async () => {
  await using bot = await openBotHome(echo);
  const photo = () => [{ file_id: bot.telegram.addFile(Buffer.from(dot(0), 'base64')) }];
  const album = { media_group_id: 'a', photo: photo() };
  bot.telegram.write(anna, undefined, { ...album, caption: 'two of them' });
  bot.telegram.write(anna, undefined, { ...album, photo: photo() });
  await bot.sent(anna.id, 1);
  bot.telegram.write(anna, 'next');
  await bot.sent(anna.id, 2);
  expect(lastUser(bot.model.requests[0]!).match(/image_url":/g)).toHaveLength(2);
  expect(bot.model.requests).toHaveLength(2);
});

test('the owner gets a code for the page, which counts once, and nobody else gets one', async () => {
  const environment = { ALLOWED_TELEGRAM_IDS: `${anna.id} ${ben.id}` };
  await using bot = await openBotHome([], { environment });
  const { telegram, host, home } = bot;
  telegram.write(ben, '/code');
  await bot.says(ben.id, /^Only the owner gets a code/);
  telegram.write(anna, '/code');
  const said = await bot.says(anna.id, /Type it on the page/);
  const code = /^(\S{4}-\S{4})\n/.exec(said.text)![1]!;
  const { folder } = openUserState(home.path, userStateFolder(processSurroundings()));
  const tickets = openTickets(folder);
  expect(tickets.use('proof', code)).toBe(true);
  expect(tickets.use('proof', code)).toBe(false);
  expect(host.home).toBe(home.path);
});

test('commands are registered and answered: /new, /tools, /usage, /stop', async () => {
  await using bot = await openBotHome([
    { text: 'first' },
    { text: 'second' },
    { text: 'a thought that never ends', chunks: 5, faults: { hangAfter: 4 } },
  ]);
  const { telegram } = bot;
  telegram.write(anna, 'my name is Anna');
  await bot.says(anna.id, 'first');
  expect(telegram.commands.map(({ command }) => command)).toEqual([
    'new',
    'resume',
    'rename',
    'rewind',
    'compact',
    'context',
    'cost',
    'tools',
    'usage',
    'save_script',
    'stop',
    'code',
    'start',
  ]);
  telegram.write(anna, '/new');
  await bot.says(anna.id, 'A fresh conversation.');
  telegram.write(anna, 'who am I?');
  await bot.says(anna.id, 'second');
  expect(JSON.stringify(bot.model.requests[1]!.messages)).not.toContain('my name is Anna');
  telegram.write(anna, '/usage');
  await bot.says(anna.id, /2 calls/);
  telegram.write(anna, '/tools');
  const list = await bot.says(anna.id, /Page 1 of/);
  expect(list.text).toMatch(/(?:^|\n)filesystem – [^]*\n• read – Reads a file[^]*\n• glob – .*\*\*\/\*\.ts/);
  expect(list.text).not.toContain('{"');
  expect(list.text).toMatch(/Page 1 of \d+\. Next: \/tools 2$/);
  telegram.write(anna, '/tools 2');
  const next = await bot.says(anna.id, /Page 2 of/);
  expect(next.text.split('\n').filter((line) => list.text.includes(line) && line.startsWith('•'))).toEqual(
    [],
  );
  telegram.write(anna, '/tools read a file');
  await bot.says(anna.id, /^• filesystem: read – /m);
  for (const words of ['nosuchthing', 'flibberty gibbet', '-1', '[x] *y']) {
    telegram.write(anna, `/tools ${words}`);
    const none = await bot.says(anna.id, new RegExp(`^No tool matches "${words.replaceAll(/\W/g, '\\$&')}"`));
    expect(none.text).toMatch(
      /lists all of them\. The nearest, which probably do something else:\n\n(?:• .+(?:\n|$)){3}$/,
    );
  }
  telegram.write(anna, 'think hard');
  const draft = await bot.says(anna.id, /^a thought that .*…$/);
  telegram.write(anna, '/stop');
  await bot.says(anna.id, /^a thought that[^…]*\(Stopped\.\)$/);
  expect(draft.edits).toHaveLength(1);
  expect(telegram.sentTo(anna.id).at(-1)).toBe(draft);
});

test('the channel delivers text, files and buttons, and says why it can not', async () => {
  await using bot = await openBotHome(echo);
  const { telegram } = bot;
  telegram.write(anna, 'hi');
  await bot.sent(anna.id, 1);
  const channel = bot.host.plugins.instances.find(({ manifest }) => manifest.id === 'builtin-telegram')!
    .channels['telegram']!;
  const { signal } = new AbortController();
  await channel.deliver(
    String(anna.id),
    {
      text: 'Water the **plants**?',
      buttons: ['Done', 'Later'],
      attachments: [{ type: 'resource', resource: { uri: 'file:///plan.txt', text: 'daily' } }],
    },
    signal,
  );
  const [, question, file] = await bot.sent(anna.id, 3);
  expect(question!.buttons.map(({ text }) => text)).toEqual(['Done', 'Later']);
  expect(file!.file).toMatchObject({ kind: 'document', name: 'plan.txt' });
  telegram.press(anna, question!.id, 'Later');
  await bot.sent(anna.id, 4);
  expect(lastUser(bot.model.requests[1]!)).toContain('Later');
  await expect(channel.deliver('4711', { text: 'x' }, signal)).rejects.toThrow('chat not found');
  await expect(channel.deliver('somebody', { text: 'x' }, signal)).rejects.toThrow(
    'is not a chat of Telegram',
  );
});
