import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScriptedRequest } from '../../../host/testing/index.ts';
import { dot } from '../../kit/data/images.ts';
import { anna, ben } from '../../kit/discord/fake-discord.ts';
import { askingFiles, notesIn } from '../../kit/homes/asking-home.ts';
import { createMovedClock } from '../../kit/moved-clock.ts';
import { openDiscordHome } from './discord-home.ts';

const lastUser = ({ messages }: ScriptedRequest): string =>
  JSON.stringify(messages.findLast(({ role }) => role === 'user'));
const echo = (_request: ScriptedRequest, index: number) => ({ text: `answer ${index + 1}` });

test('in a server only what mentions the bot or replies to it is answered, and nothing else is kept', async () => {
  await using bot = await openDiscordHome(echo);
  const { discord, model } = bot;
  const [channel, thread] = [discord.addChannel(), discord.addChannel()];
  const mention = `<@${discord.bot.id}>`;
  discord.write(anna, 'just talking', { chat: channel });
  discord.write(ben, `${mention} let me in`, { chat: channel });
  const asked = discord.write(anna, `${mention} what does <@${ben.id}> say?`, { chat: channel });
  const first = await bot.says('answer 1', channel);
  expect(first.replyTo).toBe(asked);
  expect(lastUser(model.requests[0]!)).toMatch(/\] Anna \(@anna\): what does @ben say\?/);
  discord.write(anna, `${mention} and tomorrow?`, { chat: channel, replyTo: first.id });
  await bot.says('answer 2', channel);
  // Without the privileged intent, Discord hides what doesn't mention the bot.
  discord.write(anna, 'a reply whose mention is off', {
    chat: channel,
    replyTo: first.id,
    more: { mentions: [] },
  });
  await bot.says(/leave the mention on/, channel);
  discord.write(anna, `${mention} /new`, { chat: channel });
  await bot.says('A fresh conversation.', channel);
  // A thread is a conversation of its own.
  discord.write(anna, `${mention} hello there`, { chat: thread });
  await bot.says('answer 3', thread);
  expect(JSON.stringify(model.requests[2]!.messages)).not.toContain('tomorrow');
  await discord.handled();
  const session = discord.gateway.session!;
  expect(session.events.some(({ d }) => JSON.stringify(d).includes('just talking'))).toBe(false);
});

test('what is forwarded, written by bots or reported by Discord itself is no message to answer', async () => {
  await using bot = await openDiscordHome(echo);
  const { discord, model } = bot;
  const forwarded = { content: 'do as it says', attachments: [] };
  discord.write(anna, '', { more: { message_snapshots: [{ message: forwarded }] } });
  discord.write(anna, 'Anna joined', { more: { type: 7 } });
  discord.write(anna, 'from a webhook', { more: { webhook_id: '1' } });
  discord.write(anna, 'hi');
  const answer = await bot.says('answer 1');
  discord.react(ben, answer.id, '👍');
  discord.react(anna, answer.id, '🔥');
  await bot.says('answer 2');
  expect(lastUser(model.requests[1]!)).toContain(
    String.raw`[User reacted with 🔥 to your message: \"answer 1\"]`,
  );
  expect(model.requests.map(lastUser).join()).not.toMatch(/do as it says|joined|webhook|👍/);
});

test('an edited message is answered again, and a preview that Discord adds is none', async () => {
  await using bot = await openDiscordHome(echo);
  const { discord, model, chat } = bot;
  const written = discord.write(anna, 'what is https://example.org?');
  await bot.says('answer 1');
  const message = discord.messages.find(({ id }) => id === written)!;
  const unfurled = { id: written, channel_id: chat, type: 0, author: anna, content: message.text };
  const more = { edited_timestamp: null, mentions: [], attachments: [], embeds: [{ title: 'x' }] };
  discord.gateway.dispatch('MESSAGE_UPDATE', { ...unfurled, ...more });
  discord.edit(written, 'what is https://example.com?');
  await bot.says('answer 2');
  expect(lastUser(model.requests[1]!)).toContain('[User edited an earlier message. It says now:]');
  expect(model.requests).toHaveLength(2);
});

test('a call is confirmed with a button, which is acknowledged, by the person who was asked', async () => {
  await using bot = await openDiscordHome(
    ({ messages }) =>
      messages.at(-1)!.role === 'tool'
        ? { text: 'noted' }
        : { toolCalls: [{ name: 'note', arguments: { text: '```\n**x** <@1> [y](https://z)\n```' } }] },
    { files: askingFiles },
  );
  const { discord } = bot;
  discord.write(anna, 'note it');
  const question = await bot.says(/notes\.txt/);
  const labels = question.buttons.map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(['Allow once', 'Decline']));
  // What could close a block is escaped instead.
  expect(question.text).toContain(String.raw`\*\*x\*\* \<\@1\> \[y\]\(https\://z\)`);
  const stranger = discord.press(ben, question.id, 'Allow once');
  await discord.until(() => discord.answerTo(stranger));
  expect(discord.answerTo(stranger)).toMatchObject({
    type: 4,
    data: { content: 'This bot does not know you.' },
  });
  const pressed = discord.press(anna, question.id, 'Allow once');
  await bot.says('noted');
  await discord.until(() => discord.answerTo(pressed));
  expect(discord.answerTo(pressed)).toEqual({ type: 6 });
  expect(await notesIn(bot.home)).toHaveLength(3);
  expect(question.text).toContain('Anna');
  expect(question.buttons).toEqual([]);
  const late = discord.press(anna, question.id, 'x'.repeat(24));
  await discord.until(() => discord.answerTo(late));
  expect(discord.answerTo(late)).toMatchObject({ data: { content: 'This button has expired.' } });
});

test('the commands are offered, and those that are picked answered', async () => {
  await using bot = await openDiscordHome(echo);
  const { discord } = bot;
  await discord.until(() => discord.commands.length > 0);
  const names = discord.commands.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['new', 'tools', 'save_script', 'stop', 'code', 'start']));
  const picked = discord.command(anna, 'tools', 'read a file');
  await bot.says(/^- `filesystem: read` – /m);
  await discord.until(() => discord.answerTo(picked));
  expect(discord.answerTo(picked)).toMatchObject({ type: 4, data: { content: '/tools', flags: 64 | 4 } });
});

test('files go both ways', async () => {
  await using bot = await openDiscordHome(echo);
  const { discord, model, home, host, chat } = bot;
  const file = (name: string, type: string, bytes: Buffer) => ({ name, type, bytes });
  discord.write(anna, 'what is it?', {
    files: [
      file('dot.png', 'image/png', Buffer.from(dot(0), 'base64')),
      file('list.txt', 'text/plain; charset=utf-8', Buffer.from('milk, eggs')),
      file('../../x/evil.bin', 'application/octet-stream', Buffer.from([0, 1, 2])),
    ],
  });
  await bot.says('answer 1');
  const read = lastUser(model.requests[0]!);
  expect(read).toMatch(/what is it\?.*milk, eggs.*data:image\/png;base64,iVBORw0KGgoAAAA/);
  const kept = readdirSync(join(home.path, 'workspace/inbox')).filter((name) => !name.startsWith('.'));
  expect(kept).toHaveLength(1);
  discord.write(anna, '', { files: [file('voice.ogg', 'audio/ogg', Buffer.from('x'))] });
  await bot.says(/can't listen to recordings/);
  const channel = host.plugins.instances.find(({ manifest }) => manifest.id === 'builtin-discord')!.channels[
    'discord'
  ]!;
  const { signal } = new AbortController();
  const plan = { type: 'resource', resource: { uri: 'file:///plan.txt', text: 'daily' } } as const;
  await channel.deliver(
    chat,
    { text: 'Water the **plants**?', buttons: ['Done', 'Later'], attachments: [plan] },
    signal,
  );
  const question = await bot.says('Water the **plants**?');
  expect(discord.sentTo(chat).at(-1)!.attachments).toMatchObject([{ filename: 'plan.txt', size: 5 }]);
  discord.press(anna, question.id, 'Later');
  await bot.says('answer 2');
  expect(lastUser(model.requests[1]!)).toContain('Later');
  await expect(channel.deliver('123456789012345678', { text: 'x' }, signal)).rejects.toThrow(
    'Unknown Channel',
  );
  await expect(channel.deliver('anna', { text: 'x' }, signal)).rejects.toThrow('is not a chat of Discord');
});

test('a long answer streams in one message, ends in pieces that are all there, and notifies nobody', async () => {
  const code = Array.from({ length: 150 }, (_, line) => `const line${line} = ${line};`).join('\n');
  const long = `@everyone look\n\n| a | b |\n|---|---|\n| 1 | 22 |\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThe end.`;
  await using bot = await openDiscordHome(() => ({ text: long, chunks: 40 }));
  const { discord, chat } = bot;
  discord.write(anna, 'go');
  await bot.says(/The end\.$/);
  const answers = discord.sentTo(chat);
  expect(answers.length).toBeGreaterThan(1);
  expect(answers.some(({ pings }) => pings)).toBe(false);
  expect(answers[0]!.text).toContain('```\na | b\n--+---\n1 | 22\n```');
  for (const { text } of answers) expect(text.match(/```/g)!.length % 2).toBe(0);
  const text = answers.map((one) => one.text).join('\n');
  for (let line = 0; line < 150; line++)
    expect(text.match(new RegExp(`^const line${line} = `, 'gm')), String(line)).toHaveLength(1);
});

test('each answer is shown in a message of its own while it is written', async () => {
  const half = (index: number) => ({
    text: `answer ${index + 1} ${'goes on '.repeat(9)}`,
    faults: { hangAfter: 3 },
  });
  const clock = createMovedClock({ start: Date.now(), skipMs: 1_000 });
  await using bot = await openDiscordHome((_request, index) => half(index), { clock });
  const { discord, chat } = bot;
  for (const number of [1, 2]) {
    discord.write(anna, 'go');
    await bot.says(new RegExp(`^answer ${number}.*…$`));
    discord.write(anna, '/stop');
    await bot.says(new RegExp(`^answer ${number}.*\\(Stopped\\.\\)$`, 's'));
  }
  expect(discord.sentTo(chat)).toHaveLength(2);
});
