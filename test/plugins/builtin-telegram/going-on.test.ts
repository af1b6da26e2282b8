import { cpSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configFor } from '../../kit/homes/agent-home.ts';
import { notesIn } from '../../kit/homes/asking-home.ts';
import { startPegboard, type RunningCli } from '../../kit/cli.ts';
import { anna, startFakeBotApi } from '../../kit/telegram/fake-bot-api.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { rounds } from '../../kit/run/tiers.ts';
import { startScriptedModel, type ScriptedModel, type ScriptedReply } from '../../../host/testing/index.ts';
import { environmentOf, saysIn } from './bot-home.ts';

type Messages = ScriptedModel['requests'][number]['messages'];

const files = {
  'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
  'spaces/s/agent/tools/note.md': manifest('note', 'command: echo noted >> notes.txt'),
  'spaces/s/agent/tools/look.md': manifest(
    'look',
    'readOnly: true\ncommand: echo looked >> notes.txt; test -e ended || sleep 62.25',
  ),
};

/** A bot, which the script may end. Only one that is to be killed gets a process of its own. */
async function openBot(script: (messages: Messages, end: (how: NodeJS.Signals) => void) => ScriptedReply) {
  await using opened = new AsyncDisposableStack();
  const telegram = opened.use(await startFakeBotApi());
  let running: RunningCli;
  const end = (how: NodeJS.Signals): void => void running.child.kill(how);
  const model = opened.use(await startScriptedModel(({ messages }) => script(messages, end)));
  const home = opened.use(await createHome({ 'pegboard.yaml': configFor(model), ...files }));
  const options = { home: home.path, env: environmentOf(telegram) };
  opened.defer(async () => await running[Symbol.asyncDispose]());
  const owned = opened.move();
  return {
    telegram,
    model,
    home,
    async stop() {
      end('SIGTERM');
      expect(await running.ended).toMatchObject({ code: 0 });
    },
    start: () => (running = startPegboard(['start'], options)),
    startToKill: () => (running = startPegboard(['start'], { ...options, apart: true })),
    /** As if the turn had been interrupted so many minutes earlier. */
    age(minutes: number) {
      using database = new DatabaseSync(join(home.path, 'data/pegboard.db'));
      const at = new Date(Date.now() - minutes * 60_000).toISOString();
      database.prepare("update messages set active_at = ?, created_at = ? where state != 'done'").run(at, at);
    },
    /** As if the turn had ended its host as often before; the next start counts one more. */
    pretendKills(times: number) {
      using database = new DatabaseSync(join(home.path, 'data/pegboard.db'));
      database.prepare("update messages set crashes = crashes + ? where state != 'done'").run(times);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const resultsIn = (messages: Messages): number => messages.filter(({ role }) => role === 'tool').length;
const neverHeard = { text: 'never heard', faults: { hangAfter: 0 } } as const;

const said = 'note it, please';
/** What is left of a bot that was killed after one note, when its turn had not ended: none of these tests kills another. */
const left = mkdtempDisposableSync(join(tmpdir(), 'pegboard-killed-'));
afterAll(() => left.remove());
const parts = ['data', 'spaces/s/notes.txt'];

beforeAll(async () => {
  await using bot = await openBot((messages, end) => {
    if (resultsIn(messages) === 0) return { toolCalls: [{ name: 'note', arguments: {} }] };
    end('SIGKILL');
    return neverHeard;
  });
  const killed = bot.startToKill();
  bot.telegram.write(anna, said);
  await killed.ended;
  for (const part of parts) cpSync(join(bot.home.path, part), join(left.path, part), { recursive: true });
});

/** The bot that was killed, started again `minutes` later. Telegram delivers the message that it has taken once more. */
async function killedFor(minutes: number) {
  const bot = await openBot(() => ({ text: 'it is noted' }));
  for (const part of parts) cpSync(join(left.path, part), join(bot.home.path, part), { recursive: true });
  bot.telegram.write(anna, said);
  bot.age(minutes);
  bot.start();
  return bot;
}

test('started again within a quarter of an hour, a turn goes on by itself', async () => {
  await using bot = await killedFor(14);
  await saysIn(bot.telegram, anna.id, 'it is noted');
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
});

test('started again later, the bot asks first; "Go on" goes on', async () => {
  await using bot = await killedFor(16);
  const question = await saysIn(bot.telegram, anna.id, /Shall I go on\?[^]*note it, please/);
  expect(question.buttons.map(({ text }) => text)).toEqual(['Go on', 'Leave it']);
  expect(bot.model.requests).toEqual([]);
  bot.telegram.press(anna, question.id, 'Go on');
  await saysIn(bot.telegram, anna.id, 'it is noted');
  expect(await notesIn(bot.home)).toEqual(['noted']);
});

test('its question outlives another restart: the old buttons work, and it is not asked again', async () => {
  await using bot = await killedFor(16);
  const question = await saysIn(bot.telegram, anna.id, /Shall I go on\?/);
  await bot.stop();
  bot.start();
  bot.telegram.press(anna, question.id, 'Go on');
  await saysIn(bot.telegram, anna.id, 'it is noted');
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(2);
});

test('started again later, the bot asks first; "Leave it" ends the turn, also for the next start', async () => {
  await using bot = await killedFor(16);
  const question = await saysIn(bot.telegram, anna.id, /Shall I go on\?/);
  bot.telegram.press(anna, question.id, 'Leave it');
  await saysIn(bot.telegram, anna.id, 'I left it as it is.');
  expect(bot.model.requests).toEqual([]);
});

/** How many of the five are real. */
const kills = rounds({ usual: 2, all: 5, soak: 5 });

test('a turn that ends its host again and again is stopped after five times, and that is said', async () => {
  await using bot = await openBot((messages, end) => {
    if (resultsIn(messages) === 0) return { text: 'I try.', toolCalls: [{ name: 'note', arguments: {} }] };
    end('SIGKILL');
    return neverHeard;
  });
  bot.telegram.write(anna, 'end it');
  for (let times = 0; times < kills; times++) await bot.startToKill().ended;
  bot.pretendKills(5 - kills);
  bot.start();
  await saysIn(bot.telegram, anna.id, /^I try\.\n\nThe agent was stopped: Pegboard has ended 5 times/);
  expect(bot.model.requests).toHaveLength(kills + 1);
  expect(await notesIn(bot.home)).toEqual(['noted']);
});

test('SIGTERM does not wait for a call that only reads, and the next start runs it again', async ({
  expect,
}) => {
  await using bot = await openBot((messages) =>
    resultsIn(messages) === 0 ? { toolCalls: [{ name: 'look', arguments: {} }] } : { text: 'I have seen it' },
  );
  const first = bot.start();
  bot.telegram.write(anna, 'look');
  await expect.poll(() => notesIn(bot.home), { timeout: 30_000 }).toEqual(['looked']);
  first.child.kill('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0 });
  await bot.home.write('spaces/s/ended', '');
  bot.start();
  await saysIn(bot.telegram, anna.id, 'I have seen it');
  expect(await notesIn(bot.home)).toEqual(['looked', 'looked']);
  expect(bot.model.requests).toHaveLength(2);
});
