import { expect, test } from 'vitest';
import type { Clock } from '../../../host/api/surroundings.ts';
import type { ScriptedRequest } from '../../../host/testing/index.ts';
import { pegboard, startPegboard } from '../../kit/cli.ts';
import { anna, startFakeDiscord } from '../../kit/discord/fake-discord.ts';
import { createHome } from '../../kit/homes/home.ts';
import { createMovedClock } from '../../kit/moved-clock.ts';
import { keys, startOnTerminal } from '../../kit/pty.ts';
import { environmentOf, openDiscordHome } from './discord-home.ts';

/** "answer: one" for "say one". */
const echo = ({ messages }: ScriptedRequest) => {
  const said = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
  return { text: `answer: ${/say (\w+)/.exec(said)?.[1]}` };
};

/** Pauses after failures, and those that Discord asks for, take no time. */
const clock = (): Clock => createMovedClock({ start: Date.now(), skipMs: 4_000 });

const says = (bot: Awaited<ReturnType<typeof openDiscordHome>>) =>
  bot.discord.sentTo(bot.chat).map(({ text }) => text);

test('a session is resumed after a lost connection, a request to connect again, and a restart', async () => {
  await using bot = await openDiscordHome(echo, { clock: clock() });
  const { discord } = bot;
  const { gateway } = discord;
  const isConnected = () => gateway.session?.socket !== undefined;
  discord.write(anna, 'say zero');
  await bot.says('answer: zero');
  gateway.cut();
  await discord.until(() => !isConnected());
  discord.write(anna, 'say one');
  await bot.says('answer: one');
  gateway.askToReconnect();
  await discord.until(() => gateway.greetings.length === 3);
  discord.write(anna, 'say two');
  await bot.says('answer: two');
  await bot.stop();
  discord.write(anna, 'say three');
  const pressed = discord.command(anna, 'usage');
  await bot.start();
  await bot.says('answer: three');
  await bot.says(/Today, in all channels/);
  await discord.until(() => discord.answerTo(pressed));
  expect(gateway.greetings).toEqual(['identify', 'resume', 'resume', 'resume']);
  expect(says(bot).filter((text) => text.startsWith('answer'))).toEqual([
    'answer: zero',
    'answer: one',
    'answer: two',
    'answer: three',
  ]);
});

test('a dead connection is noticed by its heartbeats', async () => {
  await using bot = await openDiscordHome(echo, { clock: clock() });
  const { discord } = bot;
  discord.heartbeatMs = 60;
  discord.write(anna, 'say zero');
  await bot.says('answer: zero');
  discord.gateway.cut();
  await discord.until(() => discord.gateway.greetings.length >= 2 && discord.gateway.heartbeats > 2);
  const before = discord.gateway.greetings.length;
  discord.gateway.freeze();
  discord.write(anna, 'say one');
  await bot.says('answer: one');
  // A slow machine may miss the time of a heartbeat, too.
  expect(discord.gateway.greetings.length).toBeGreaterThan(before);
  expect(new Set(discord.gateway.greetings.slice(1))).toEqual(new Set(['resume']));
});

test('what is no payload of Discord ends the connection, and nothing else', async () => {
  await using bot = await openDiscordHome(echo, { clock: clock() });
  const { discord } = bot;
  discord.write(anna, 'say zero');
  await bot.says('answer: zero');
  for (const [at, garbled] of ['<html>', 'null', '{"op":10,"d":null}'].entries()) {
    discord.gateway.garble(garbled);
    await discord.until(() => discord.gateway.greetings.length === at + 2);
  }
  discord.write(anna, 'say one');
  await bot.says('answer: one');
  expect(new Set(discord.gateway.greetings.slice(1))).toEqual(new Set(['resume']));
});

test('after a session that is over, what was written meanwhile is fetched, in order and once', async () => {
  await using bot = await openDiscordHome(echo, { clock: clock() });
  const { discord, model } = bot;
  const channel = discord.addChannel();
  const mention = `<@${discord.bot.id}>`;
  discord.write(anna, 'say zero');
  await bot.says('answer: zero');
  discord.write(anna, `${mention} say hello`, { chat: channel });
  await bot.says('answer: hello', channel);
  await discord.handled();
  await bot.stop();
  discord.gateway.invalidate();
  // More than Discord gives at a time.
  const words = Array.from({ length: 102 }, (_, index) => `w${index}`);
  for (const word of words) discord.write(anna, `say ${word}`);
  discord.write(anna, `${mention} say there`, { chat: channel });
  discord.write(anna, 'for others', { chat: channel });
  await bot.start();
  await bot.says('answer: there', channel);
  await bot.says('answer: w101');
  expect(says(bot)).toEqual(['answer: zero', ...words.map((word) => `answer: ${word}`)]);
  expect(discord.gateway.greetings).toEqual(['identify', 'identify']);
  expect(model.requests).toHaveLength(words.length + 3);
  // While it runs, too.
  discord.gateway.invalidate();
  discord.write(anna, 'say last');
  await bot.says('answer: last');
  expect(discord.gateway.greetings).toHaveLength(3);
});

test('limits, failures and lost receipts delay an answer, and double none', async () => {
  await using bot = await openDiscordHome(echo, { clock: clock() });
  const { discord, chat } = bot;
  const route = `POST /channels/${chat}/messages`;
  discord.fail(route, { status: 429, retryAfter: 0.2 }, 1);
  discord.write(anna, 'say limited');
  await bot.says('answer: limited');
  discord.fail(route, { status: 503 }, 2);
  discord.write(anna, 'say failing');
  await bot.says('answer: failing');
  discord.fail(route, 'cut-after', 1);
  discord.write(anna, 'say cut');
  await bot.says('answer: cut');
  discord.fail(route, { status: 502, html: '<h1>Bad gateway</h1>' }, 1);
  discord.write(anna, 'say proxied');
  await bot.says('answer: proxied');
  // While Discord limits everything, nothing is asked.
  discord.fail(route, { status: 429, retryAfter: 0.5, global: true }, 1);
  const before = discord.calls.length;
  discord.write(anna, 'say global');
  await bot.says('answer: global');
  const posts = discord.calls.slice(before).filter((call) => call.route === route);
  expect(posts).toHaveLength(2);
  await discord.down();
  await discord.up();
  discord.write(anna, 'say again');
  await bot.says('answer: again');
  expect(says(bot)).toEqual(
    ['limited', 'failing', 'cut', 'proxied', 'global', 'again'].map((word) => `answer: ${word}`),
  );
});

test('start, doctor and status say which bot it is, or what is wrong', async () => {
  await using discord = await startFakeDiscord();
  await using home = await createHome();
  const env = environmentOf(discord);
  const run = (command: string, more: object = {}) =>
    pegboard([command], { home: home.path, env: { ...env, ...more } });
  expect((await run('doctor')).stdout).toMatch(/✓ Discord +knows the token: it belongs to @peg/);
  {
    await using running = startPegboard(['start'], { home: home.path, env });
    await running.waitFor(/^✓ Discord +@peg, write to it$/m);
    discord.allowsContent = false;
  }
  const malformed = { DISCORD_BOT_TOKEN: 'nonsense' };
  const status = await run('status', malformed);
  expect(status.stdout).toMatch(/^✗ Discord +can't be used: [^]*?→ get the token/m);
  await home.write('pegboard.yaml', 'plugins: { builtin-discord: { config: { groups: all } } }');
  discord.gateway.invalidate();
  const unknown = discord.fail('GET /users/@me', { status: 401 });
  await using running = startPegboard(['start'], { home: home.path, env });
  await running.waitFor(/^✗ Discord +does not know this DISCORD_BOT_TOKEN\s+→ get the token/m);
  unknown[Symbol.dispose]();
  await using other = startPegboard(['start'], { home: home.path, env });
  await other.waitFor(/in use|✗ Discord +does not let this bot read[^]*?Message Content Intent/m);
});

test('the steps of docs/discord.md, on a terminal: token, doctor, start and pairing', async () => {
  await using discord = await startFakeDiscord();
  await using home = await createHome();
  const at = { home: home.path, env: { DISCORD_API_ROOT: discord.root } };
  {
    await using stored = startOnTerminal(['secret', 'set', 'DISCORD_BOT_TOKEN'], at);
    await stored.next(/Value for DISCORD_BOT_TOKEN/);
    stored.child.stdin.write(`${discord.token}${keys.enter}`);
    const { code, stdout } = await stored.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain(discord.token);
  }
  {
    await using checked = startOnTerminal(['doctor'], at);
    await checked.next(/Discord +knows the token: it belongs to @peg/);
  }
  await using running = startOnTerminal(['start'], at);
  await running.next(/Discord +@peg, write to it/);
  await discord.until(() => discord.gateway.session?.socket);
  discord.write(anna, 'hello');
  const asked = await discord.until(() => discord.sentTo(discord.chatOf(anna)).at(0));
  const [, code = ''] = /discord pair ([\w-]+)/.exec(asked.text) ?? [];
  await using paired = startOnTerminal(['discord', 'pair', code], at);
  await paired.next(/Anna \(@anna\), id \d+, may talk to the bot now/);
  expect(await paired.ended).toMatchObject({ code: 0 });
});
