import { expect, test } from 'vitest';
import { pegboard, startPegboard, type RunningCli } from '../../kit/cli.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';
import { anna, startFakeBotApi, type FakeBotApi } from '../../kit/telegram/fake-bot-api.ts';

const variables = (
  bot: FakeBotApi,
  more: { readonly [name: string]: string } = {},
): { readonly [name: string]: string } => ({
  TELEGRAM_BOT_TOKEN: bot.token,
  TELEGRAM_API_ROOT: bot.root,
  TIMEZONE: 'UTC',
  ...more,
});

const start = (home: TestHome, bot: FakeBotApi, more?: { readonly [name: string]: string }): RunningCli =>
  startPegboard(['start'], { home: home.path, env: variables(bot, more) });

test('start says which bot it is, who may write, who answers and what is due next', async () => {
  await using bot = await startFakeBotApi();
  await using home = await createHome();
  const env = variables(bot);
  const planned = ['schedule', 'add', 'tomorrow at 9', 'Water the plants'];
  expect(await pegboard(planned, { home: home.path, env })).toMatchObject({ code: 0 });
  await using running = start(home, bot);
  await running.waitFor(/^! Telegram +@\w+, write to it; nobody is paired yet/m);
  await running.waitFor(/→ pegboard telegram pair CODE/);
  await running.waitFor(/^✓ schedules +1 planned; next: .*09:00.* Water the plants/m);
  await running.waitFor(/^! agent +\w+, without a model/m);
});

test('with somebody who may write, there is nothing left to do', async () => {
  await using bot = await startFakeBotApi();
  await using home = await createHome();
  await using running = start(home, bot, { ALLOWED_TELEGRAM_IDS: String(anna.id) });
  await running.waitFor(/^✓ Telegram +@\w+, write to it$/m);
});

test.each([
  [
    'a token that Telegram does not know',
    401,
    /^✗ Telegram +does not know this TELEGRAM_BOT_TOKEN\s+→ get the token/m,
  ],
  ['a server that fails', 502, /^✗ Telegram +has a problem of its own: it answered 502 \(Not now\)/m],
])('%s is said at the start and by doctor, and the end of it too', async (_what, status, said) => {
  await using bot = await startFakeBotApi();
  await using home = await createHome();
  const failing = bot.fail('*', { status, description: 'Not now' });
  const doctor = await pegboard(['doctor'], { home: home.path, env: variables(bot) });
  expect(doctor.stdout).toMatch(said);
  expect(doctor.code).toBe(1);
  await using running = start(home, bot);
  await running.waitFor(said);
  failing[Symbol.dispose]();
  await running.waitFor(/^! Telegram +@\w+, write to it/m);
  const better = await pegboard(['doctor'], { home: home.path, env: variables(bot) });
  expect(better.stdout).toMatch(/✓ Telegram +knows the token: it belongs to @\w+/);
});

test('another program that receives the messages of the bot is named', async () => {
  await using bot = await startFakeBotApi();
  await using home = await createHome();
  await using running = start(home, bot);
  await running.waitFor(/Telegram +@\w+/);
  using _failing = bot.fail('getUpdates', {
    status: 409,
    description: 'Conflict: terminated by other getUpdates',
  });
  await running.waitFor(/^✗ Telegram +gives the messages of this bot to another program/m);
});

test('a token that is none is said like one that is refused: at the start, by doctor and by status', async () => {
  await using bot = await startFakeBotApi();
  await using home = await createHome();
  const malformed = { TELEGRAM_BOT_TOKEN: 'nonsense' };
  const said =
    /^✗ Telegram +can't be used: TELEGRAM_BOT_TOKEN is not a token that @BotFather gives[^]*?→ get the token/m;
  await using running = start(home, bot, malformed);
  expect(await running.waitFor(said)).not.toContain('plugin-failed');
  const env = variables(bot, malformed);
  const doctor = await pegboard(['doctor'], { home: home.path, env });
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(said) as string });
  const status = await pegboard(['status'], { home: home.path, env });
  expect(status).toMatchObject({ code: 0, stdout: expect.stringMatching(said) as string });
});
