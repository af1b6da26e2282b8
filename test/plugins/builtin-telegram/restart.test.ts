import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { configFor } from '../../kit/homes/agent-home.ts';
import { pegboard, pegboardJson, startPegboard, type RunningCli } from '../../kit/cli.ts';
import { anna, ben, startFakeBotApi } from '../../kit/telegram/fake-bot-api.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';
import { startScriptedModel, type Script } from '../../../host/testing/index.ts';
import { environmentOf, saysIn } from './bot-home.ts';
import { waitUntil } from '../../kit/wait-until.ts';

async function openCliHome(script: Script, files: { readonly [file: string]: string } = {}) {
  await using opened = new AsyncDisposableStack();
  const telegram = opened.use(await startFakeBotApi());
  const model = opened.use(await startScriptedModel(script));
  const home = opened.use(await createHome({ 'pegboard.yaml': configFor(model), ...files }));
  const options = { home: home.path, env: environmentOf(telegram) };
  let running: RunningCli | undefined;
  opened.defer(async () => await running?.[Symbol.asyncDispose]());
  const owned = opened.move();
  return {
    telegram,
    model,
    home,
    options,
    start: () => (running = startPegboard(['start'], options)),
    /** In a process of its own. */
    startToKill: () => (running = startPegboard(['start'], { ...options, apart: true })),
    async end(how: 'SIGKILL' | 'SIGTERM') {
      running!.child.kill(how);
      await running!.ended;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const files = {
  'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
  'spaces/s/agent/tools/note.md': `---
id: note
name: note
description: Writes a line
confirm: true
command: echo noted >> notes.txt
---
`,
};

async function isStored(home: TestHome, message: number): Promise<void> {
  using database = new DatabaseSync(join(home.path, 'data/pegboard.db'), { readOnly: true, timeout: 5_000 });
  const find = database.prepare('select 1 from channel_asks where message = ?');
  await waitUntil(() => find.get(String(message)));
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a confirmation survives %s and a restart: its old buttons work, once, and it is not asked again',
  async (how) => {
    await using bot = await openCliHome(
      ({ messages }) =>
        messages.at(-1).role === 'tool'
          ? { text: 'it is noted' }
          : { toolCalls: [{ name: 'note', arguments: {} }] },
      files,
    );
    if (how === 'SIGKILL') bot.startToKill();
    else bot.start();
    bot.telegram.write(anna, 'note it');
    const question = await saysIn(bot.telegram, anna.id, /note/);
    // Killed before the message's id is known, it sends the message again.
    await isStored(bot.home, question.id);
    await bot.end(how);
    bot.telegram.press(anna, question.id, 'Allow once');
    bot.start();
    await saysIn(bot.telegram, anna.id, 'it is noted');
    expect(await bot.home.read('spaces/s/notes.txt')).toBe('noted\n');
    expect(question.text).toContain('✅ Allow once');
    expect(bot.telegram.sentTo(anna.id).map(({ id }) => id)).toEqual([question.id, expect.any(Number)]);
  },
);

test('after a restart, months later, a reaction finds its message, and an answer replies to an old one', async () => {
  const said = ({ messages }: { readonly messages: readonly { readonly content: unknown }[] }): string =>
    JSON.stringify(messages.at(-1)!.content);
  let old = 0;
  await using bot = await openCliHome((request) => {
    if (request.messages.at(-1)!.role === 'tool') return { text: 'as I said' };
    if (said(request).includes('the joke again'))
      return { toolCalls: [{ name: 'telegram_reply_to', arguments: { message_id: old } }] };
    return { text: said(request).includes('reacted') ? 'glad you liked it' : 'a joke about pegs' };
  });
  bot.start();
  bot.telegram.write(anna, 'tell me a joke');
  const joke = await saysIn(bot.telegram, anna.id, 'a joke about pegs');
  old = joke.id;
  bot.telegram.write(anna, '/start');
  await bot.telegram.until(() => bot.telegram.sentTo(anna.id).length === 2);
  await bot.end('SIGTERM');
  {
    using database = new DatabaseSync(join(bot.home.path, 'data/pegboard.db'));
    database.exec(`update channel_messages set at = '2020-01-01T00:00:00.000Z'`);
  }
  bot.start();
  bot.telegram.react(anna, joke.id, '🔥');
  await saysIn(bot.telegram, anna.id, 'glad you liked it');
  expect(said(bot.model.requests.at(-1)!)).toContain(
    String.raw`[User reacted with 🔥 to your message: \"a joke about pegs\"]`,
  );
  bot.telegram.write(anna, 'the joke again');
  expect((await saysIn(bot.telegram, anna.id, 'as I said')).replyTo).toBe(joke.id);
  // The source of the agent's id.
  expect(JSON.stringify(bot.model.requests.at(-1)!.messages)).toContain(`[tg:${joke.id}] a joke about pegs`);
});

test('from a stranger to the first answer: a code, one command, and the first message is answered, whatever dies', async () => {
  await using bot = await openCliHome([{ text: 'welcome' }, { text: 'glad' }]);
  bot.startToKill();
  bot.telegram.write(ben, 'hello?');
  const offer = await saysIn(bot.telegram, ben.id, /pair [A-Z2-9]{8}$/);
  const [code] = offer.text.match(/[A-Z2-9]{8}$/)!;
  await bot.end('SIGKILL');
  bot.start();
  const wrong = await pegboard(['telegram', 'pair', 'AAAAAAAA'], bot.options);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain('Nobody waits with the code');
  const waiting = await pegboardJson<{ waiting: unknown[] }>(['telegram', 'list'], bot.options);
  expect(waiting).toEqual({ paired: [], waiting: [{ id: ben.id, name: 'Ben' }] });
  const paired = await pegboard(['telegram', 'pair', code.toLowerCase()], bot.options);
  expect(paired.stdout).toBe(`Ben, id ${ben.id}, may talk to the bot now\n`);
  await saysIn(bot.telegram, ben.id, /^You are paired/);
  await saysIn(bot.telegram, ben.id, 'welcome');
  expect(JSON.stringify(bot.model.requests[0]!.messages)).toContain('hello?');
  bot.telegram.write(ben, 'hello!');
  await saysIn(bot.telegram, ben.id, 'glad');
  await pegboard(['telegram', 'unpair', String(ben.id)], bot.options);
  bot.telegram.write(ben, 'still there?');
  await saysIn(bot.telegram, ben.id, new RegExp(`pair (?!${code})[A-Z2-9]{8}$`));
  expect(bot.model.requests).toHaveLength(2);
});

test.for([
  ['forwards', -11],
  ['back', 30],
] as const)(
  'when the clock jumps %s, an open code is void, and the next message brings another',
  async ([, minutes]) => {
    await using bot = await openCliHome([]);
    bot.start();
    bot.telegram.write(ben, 'hello?');
    const offer = await saysIn(bot.telegram, ben.id, /pair [A-Z2-9]{8}$/);
    const [code] = offer.text.match(/[A-Z2-9]{8}$/)!;
    {
      // To its code it is the same whether the clock jumps or what it was made at.
      using database = new DatabaseSync(join(bot.home.path, 'data/pegboard.db'), { timeout: 10_000 });
      const madeAt = new Date(Date.now() + minutes * 60_000).toISOString();
      database.prepare('update channel_codes set created_at = ?').run(madeAt);
    }
    expect((await pegboard(['telegram', 'pair', code], bot.options)).code).toBe(2);
    bot.telegram.write(ben, 'hello again?');
    await saysIn(bot.telegram, ben.id, new RegExp(`pair (?!${code})[A-Z2-9]{8}$`));
  },
);

test('after five wrong codes the right one is void', async () => {
  await using bot = await openCliHome([]);
  bot.start();
  bot.telegram.write(ben, 'hello?');
  const offer = await saysIn(bot.telegram, ben.id, /pair [A-Z2-9]{8}$/);
  const [code] = offer.text.match(/[A-Z2-9]{8}$/)!;
  for (let attempt = 0; attempt < 5; attempt++)
    await pegboard(['telegram', 'pair', `WRONG${attempt}`], bot.options);
  expect((await pegboard(['telegram', 'pair', code], bot.options)).code).toBe(2);
});
