import { afterAll, expect, test } from 'vitest';
import { anna, type FakeBotApi, type FakeFault } from '../../../kit/telegram/fake-bot-api.ts';
import { startSwallowingProxy, type SwallowingProxy } from '../../../kit/servers/swallowing-proxy.ts';
import { createMovedClock, type MovedClock } from '../../../kit/moved-clock.ts';
import { openBotHome, type BotHome } from '../bot-home.ts';
import { openFailingNames } from '../incoming/failing-names.ts';

/** Milliseconds after which a poll has failed. */
const pollLimitMs = 7_000;
/** Milliseconds until the first repetition of a poll, and of an answer. */
const firstPauseMs = 250;
/** Its pauses after failures take no time. */
const patientClock = (): MovedClock => createMovedClock({ start: Date.now(), skipMs: 4_000 });

const next = (telegram: FakeBotApi): Promise<unknown> => {
  const before = telegram.calls.length;
  return telegram.until(() => telegram.calls.slice(before).some(({ method }) => method === 'getUpdates'));
};

const faults: readonly (readonly [string, FakeFault])[] = [
  ['a connection that hangs', 'hang'],
  ['a connection that breaks off', 'cut'],
  ['409 by another poller', { status: 409, description: 'Conflict: terminated by other getUpdates request' }],
  ['429 with retry_after', { status: 429, retryAfter: 1 }],
  ['a 502', { status: 502 }],
];

test.each(faults)('after %s, messages come again', async (_name, fault) => {
  const clock = patientClock();
  await using bot = await openBotHome(() => ({ text: 'here again' }), { clock });
  await next(bot.telegram);
  const undo = bot.telegram.fail('getUpdates', fault);
  bot.telegram.write(anna, 'wake up');
  await next(bot.telegram);
  if (fault === 'hang') clock.pass(pollLimitMs);
  undo[Symbol.dispose]();
  await expectsToHear(bot.telegram);
  await bot.sent(anna.id, 2);
});

/** After the fault: new messages are received, and all that were waiting. */
async function expectsToHear(telegram: FakeBotApi): Promise<void> {
  telegram.write(anna, 'are you there?');
  await telegram.until(() => telegram.pending === 0);
}

const names = openFailingNames();
afterAll(() => names[Symbol.dispose]());

test.each(['ENOTFOUND', 'EAI_AGAIN', 'never answers'] as const)(
  'after a name that could not be resolved (%s), messages come again',
  async (fault) => {
    const name = `${fault.toLowerCase().replace(/\W|_/g, '-')}.telegram.test`;
    const clock = patientClock();
    await using bot = await openBotHome(() => ({ text: 'here again' }), {
      clock,
      via: (root) => root.replace('127.0.0.1', name),
    });
    await next(bot.telegram);
    names.fail(name, fault);
    // Closes the open connection, so that the name is resolved again.
    await bot.telegram.down();
    await bot.telegram.up();
    await names.asked(name, fault === 'never answers' ? 1 : 3);
    names.mend(name);
    if (fault === 'never answers') clock.pass(pollLimitMs);
    await expectsToHear(bot.telegram);
    await bot.sent(anna.id, 1);
  },
);

test('after connections that are dead without being closed, messages come again', async () => {
  let proxy: SwallowingProxy | undefined;
  const clock = patientClock();
  await using bot = await openBotHome(() => ({ text: 'here again' }), {
    clock,
    via: async (root) => {
      proxy = await startSwallowingProxy(Number(new URL(root).port));
      return `http://127.0.0.1:${proxy.port}`;
    },
  });
  await using way = proxy!;
  await next(bot.telegram);
  way.swallow();
  bot.telegram.write(anna, 'lost on the way');
  clock.pass(pollLimitMs);
  // The next connection is dead from the beginning, too.
  await way.nextConnection();
  way.restore();
  clock.pass(pollLimitMs);
  await expectsToHear(bot.telegram);
  await bot.sent(anna.id, 2);
});

test('refused connections are waited out, and the answer is sent once they end', async () => {
  const clock = createMovedClock({ start: Date.now() });
  const script = async () => {
    await bot.telegram.down();
    return { text: 'through' };
  };
  await using bot: BotHome = await openBotHome(script, { clock });
  bot.telegram.write(anna, 'hi');
  // The next poll and the answer.
  await clock.sleeper(firstPauseMs, 2);
  await bot.telegram.up();
  clock.pass(firstPauseMs);
  await bot.says(anna.id, 'through');
  bot.telegram.write(anna, '/start');
  await bot.sent(anna.id, 2);
});

// The answers to commands, which are never streamed.
test('an answer that is refused with 429 is sent when Telegram allows it, once', async () => {
  await using bot = await openBotHome([], { clock: patientClock() });
  bot.telegram.fail('sendMessage', { status: 429, retryAfter: 1 }, 2);
  bot.telegram.write(anna, '/new');
  await bot.says(anna.id, 'A fresh conversation.');
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
});

test('an answer of which nobody knows whether it arrived is not sent twice, and that is said', async () => {
  await using bot = await openBotHome([]);
  bot.telegram.fail('sendMessage', 'cut-after', 1);
  const id = bot.telegram.write(anna, '/new');
  const told = await bot.says(anna.id, /^⚠️/);
  expect(told.replyTo).toBe(id);
  expect(bot.telegram.sentTo(anna.id).map(({ text }) => text)).toEqual(['A fresh conversation.', told.text]);
});

const threeParts = ['one', 'two', 'three'].map((word) => `${word} `.repeat(600).trim()).join('\n\n');

test.for([
  ['a connection that breaks', 'cut', 1],
  ['a connection that breaks when it has arrived', 'cut-after', 2],
  ['an error page of a proxy', { status: 502, html: '<html><h1>502 Bad Gateway</h1></html>' }, 1],
] as const)(
  'after %s the other parts arrive, and the doubtful one is sent again when it is wanted',
  async ([, fault, count]) => {
    await using bot = await openBotHome([{ text: threeParts }]);
    let met = false;
    bot.telegram.onCall(({ method, params }, stage) => {
      if (method !== 'sendMessage' || stage !== 'received' || met) return;
      if (!String(params['text']).startsWith('two')) return;
      met = true;
      bot.telegram.fail('sendMessage', fault, 1);
    });
    const id = bot.telegram.write(anna, 'hi');
    const told = await bot.says(anna.id, /^⚠️/);
    expect(told).toMatchObject({ replyTo: id, text: expect.stringContaining('part 2 of 3') });
    const words = (): readonly string[] =>
      bot.telegram.sentTo(anna.id).map(({ text }) => /^\S+/.exec(text)![0]);
    expect(words().filter((word) => word !== 'two')).toEqual(['one', 'three', '⚠️']);
    const press = bot.telegram.press(anna, told.id, 'Send it again');
    await bot.telegram.until(() => words().filter((word) => word === 'two').length === count);
    expect(await bot.telegram.until(() => bot.telegram.answerTo(press))).toBe('It is sent again.');
    const again = bot.telegram.press(anna, told.id, 'again:1');
    expect(await bot.telegram.until(() => bot.telegram.answerTo(again))).toMatch(
      /^This was sent again already/,
    );
    expect(words().filter((word) => word === 'two')).toHaveLength(count);
  },
);

test('a part that fails again is named as it was among all of them', async () => {
  await using bot = await openBotHome([{ text: threeParts }]);
  bot.telegram.onCall(({ method, params }, stage) => {
    if (method === 'sendMessage' && stage === 'received' && String(params['text']).startsWith('two'))
      bot.telegram.fail('sendMessage', 'cut', 1);
  });
  bot.telegram.write(anna, 'hi');
  const told = await bot.says(anna.id, /^⚠️/);
  const notices = () => bot.telegram.sentTo(anna.id).filter(({ text }) => text.startsWith('⚠️'));
  bot.telegram.press(anna, told.id, 'Send it again');
  await bot.telegram.until(() => notices().length === 2);
  for (const { text } of notices()) expect(text).toContain('while part 2 of 3 of this answer was being sent');
});

test('a part that Telegram refuses keeps no other back, and that is said', async () => {
  await using bot = await openBotHome([{ text: threeParts }]);
  bot.telegram.onCall(({ method, params }, stage) => {
    if (method === 'sendMessage' && stage === 'received' && String(params['text']).startsWith('two'))
      bot.telegram.fail('sendMessage', { status: 400, description: 'Bad Request: no' }, 1);
  });
  bot.telegram.write(anna, 'hi');
  const told = await bot.says(anna.id, /^⚠️ Telegram refused part 2 of 3 of this answer: Bad Request: no\.$/);
  expect(told.buttons).toEqual([]);
  expect(bot.telegram.sentTo(anna.id).map(({ text }) => text.slice(0, 3))).toEqual(['one', 'thr', '⚠️ ']);
});

test('HTML that Telegram refuses is sent as plain text', async () => {
  await using bot = await openBotHome([]);
  bot.telegram.fail('sendMessage', { status: 400, description: "Bad Request: can't parse entities: x" }, 1);
  bot.telegram.write(anna, '/start');
  const answer = await bot.says(anna.id, /^Pegboard/);
  expect(answer.entities).toEqual([]);
});
