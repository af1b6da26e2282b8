import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { databaseOf } from '../../kit/database.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { createMovedClock, type MovedClock } from '../../kit/moved-clock.ts';
import { surroundingsBy } from '../../kit/surroundings.ts';
import { anna, ben } from '../../kit/telegram/fake-bot-api.ts';
import { waitUntil } from '../../kit/wait-until.ts';
import { environmentOf, openBotHome, type BotHome } from './bot-home.ts';

const day = 86_400_000;

const heldIn = async ({ home }: BotHome): Promise<readonly string[]> => {
  await using database = databaseOf(home);
  const rows = await (
    await database.open()
  )
    .selectFrom('channel_holds')
    .select('chat')
    .orderBy('chat')
    .execute();
  return rows.map(({ chat }) => chat);
};

/** Anna, who is listed, and Ben, who isn't, have blocked the bot before they got its answers; the host has stopped. */
async function openBlocked(clock: MovedClock): Promise<BotHome> {
  const gate = Promise.withResolvers<void>();
  const script = async () => {
    await gate.promise;
    return { text: 'answer' };
  };
  const bot = await openBotHome(script, { clock, config: { allow: 'everyone' } });
  for (const [index, person] of [anna, ben].entries()) {
    bot.telegram.write(person, 'hello');
    await bot.model.received(index);
    bot.telegram.block(person.id);
  }
  gate.resolve();
  await waitUntil(
    () => heldIn(bot),
    (chats) => chats.length === 2,
  );
  await bot.host[Symbol.asyncDispose]();
  return bot;
}

async function startAgain(bot: BotHome, allow: string, clock: MovedClock): Promise<AsyncDisposable> {
  const { home, telegram, model } = bot;
  const config = { ...JSON.parse(configFor(model)), plugins: { 'builtin-telegram': { config: { allow } } } };
  await home.write('pegboard.yaml', JSON.stringify(config));
  const surroundings = surroundingsBy(clock);
  const host = await createHost({ home: home.path, environment: environmentOf(telegram), surroundings });
  await host.plugins.startServices();
  return host;
}

test.for([
  ['the messages are older than two days', 'everyone', 3 * day],
  ['strangers are not allowed any more', 'listed', 0],
] as const)(
  'what waits for a stranger who blocks the bot is given up when %s',
  async ([, allow, laterMs]) => {
    const start = Date.now();
    await using bot = await openBlocked(createMovedClock({ start, skipMs: 1_000 }));
    const clock = createMovedClock({ start: start + laterMs, skipMs: 1_000 });
    await using _host = await startAgain(bot, allow, clock);
    await waitUntil(
      () => heldIn(bot),
      (chats) => chats.length === 1,
    );
    expect(await heldIn(bot)).toEqual([String(anna.id)]);
    await using database = databaseOf(bot.home);
    const db = await database.open();
    const left = await db
      .selectFrom('channel_events')
      .select('conversation')
      .where('state', '!=', 'done')
      .execute();
    expect(left).toEqual([{ conversation: String(anna.id) }]);
  },
);

test('it is kept that long where everyone is allowed', async () => {
  const start = Date.now();
  await using bot = await openBlocked(createMovedClock({ start, skipMs: 1_000 }));
  await using _host = await startAgain(
    bot,
    'everyone',
    createMovedClock({ start: start + day, skipMs: 1_000 }),
  );
  bot.telegram.write({ ...ben, id: ben.id + 1 }, 'hello');
  await bot.says(ben.id + 1, 'answer');
  expect(await heldIn(bot)).toEqual([String(anna.id), String(ben.id)]);
});
