import { setTimeout as delay } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../host/api/result.ts';
import { askElsewhere } from '../../../plugins/builtin-channels/exports.ts';
import { startScriptedModel } from '../../../host/testing/index.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { askingFiles, notesIn, questionsOf, answer } from '../../kit/homes/asking-home.ts';
import { pegboard, startPegboard } from '../../kit/cli.ts';
import { anna, ben, startFakeBotApi, type FakeBotApi } from '../../kit/telegram/fake-bot-api.ts';
import { createRandom } from '../../kit/data/fuzz.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { rounds } from '../../kit/run/tiers.ts';
import { connectOld } from '../../kit/mcp/mcp-clients.ts';
import { environmentOf, openBotHome, saysIn } from './bot-home.ts';

const noteOnce = (text: string) => [
  { toolCalls: [{ name: 'note', arguments: { text } }] },
  { text: 'noted' },
];

/** A bot can only write to people who have written to it. */
async function meet(telegram: FakeBotApi): Promise<void> {
  telegram.write(anna, '/start');
  await telegram.until(() => telegram.sentTo(anna.id).length > 0);
}

test('the owner is asked in private where nobody is there, and told when it was answered elsewhere', async () => {
  await using bot = await openBotHome(noteOnce('x'), { files: askingFiles });
  await meet(bot.telegram);
  const said = { source: 'schedule', externalId: '1', text: 'go', ask: askElsewhere };
  const running = bot.host.converse(said);
  const question = await bot.says(anna.id, /Question 1, asked by schedule\/1/);
  expect(question.text).toContain("printf '%s\\n' x >> notes.txt");
  expect(question.buttons.map(({ text }) => text)).toEqual(['Allow once', 'Always allow', 'Decline']);
  const data = question.buttons[0]!.data!;
  await answer(bot.home, 'deny', 1);
  expect((await running).toolCalls[0]).toMatchObject({ ok: false });
  await bot.telegram.until(() => question.text.endsWith('☑️ Declined by pegboard approvals'));
  expect(question.buttons).toEqual([]);
  const late = bot.telegram.press(anna, question.id, data);
  await bot.telegram.until(() => bot.telegram.answerTo(late) !== undefined);
  expect(bot.telegram.answerTo(late)).toBe('This was answered already: Declined by pegboard approvals.');
  expect(await notesIn(bot.home)).toEqual([]);
});

test('what a Telegram turn asks is answered at a terminal, and the question says so', async () => {
  const environment = { ALLOWED_TELEGRAM_IDS: `${anna.id} ${ben.id}` };
  await using bot = await openBotHome(noteOnce('y'), { files: askingFiles, environment });
  await meet(bot.telegram);
  bot.telegram.write(ben, 'note it');
  const question = await bot.says(ben.id, /note/);
  const [open] = await questionsOf(bot.home, 1);
  expect(open).toMatchObject({ asker: `telegram/${ben.id}`, unattended: false });
  await answer(bot.home, 'allow', open!.id);
  await bot.says(ben.id, 'noted');
  await bot.telegram.until(() => question.text.endsWith('☑️ Allowed by pegboard approvals'));
  expect(await notesIn(bot.home)).toEqual(['y']);
  // The owner was not asked, because somebody else was present.
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
});

test('the settings say what the owner is asked', async () => {
  for (const confirmations of ['all', 'none'] as const) {
    const environment = { ALLOWED_TELEGRAM_IDS: `${anna.id} ${ben.id}` };
    const options = { files: askingFiles, environment, config: { confirmations } };
    await using bot = await openBotHome(noteOnce('z'), options);
    await meet(bot.telegram);
    bot.telegram.write(ben, 'note it');
    const theirs = await bot.says(ben.id, /note/);
    if (confirmations === 'all') {
      const question = await bot.says(anna.id, new RegExp(`asked by telegram/${ben.id}`));
      bot.telegram.press(anna, question.id, 'Allow once');
      await bot.says(ben.id, 'noted');
      await bot.telegram.until(() => theirs.text.endsWith('☑️ Allowed by Anna (@anna), Telegram'));
    } else {
      bot.telegram.press(ben, theirs.id, 'Allow once');
      await bot.says(ben.id, 'noted');
      expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
    }
    expect(await notesIn(bot.home)).toEqual(['z']);
  }
});

test('an owner’s question that was open when the process died has expired', async () => {
  await using telegram = await startFakeBotApi();
  await using model = await startScriptedModel(noteOnce('w'));
  await using home = await createHome({ 'pegboard.yaml': configFor(model), ...askingFiles });
  await pegboard(['schedule', 'add', 'in 1 second', 'go'], { home: home.path });
  const options = { home: home.path, env: environmentOf(telegram) };
  telegram.write(anna, '/start');
  const first = startPegboard(['start'], { ...options, apart: true });
  const question = await saysIn(telegram, anna.id, /Question 1/);
  expect(await questionsOf(home, 1)).toMatchObject([{ unattended: true }]);
  first.child.kill('SIGKILL');
  await first.ended;
  const press = telegram.press(anna, question.id, 'Allow once');
  await using _second = startPegboard(['start'], options);
  await telegram.until(() => question.text.includes('⌛ Expired: Pegboard was restarted'));
  await telegram.until(() => telegram.answerTo(press) !== undefined);
  expect(await notesIn(home)).toEqual([]);
});

test('allowed elsewhere, and killed while the tool runs: a Telegram turn is not repeated', async () => {
  await using telegram = await startFakeBotApi();
  await using model = await startScriptedModel(({ messages }) =>
    messages.at(-1)!.role === 'tool' ? { text: 'noted' } : { toolCalls: [{ name: 'slow', arguments: {} }] },
  );
  const slow = manifest('slow', 'confirm: true\ncommand: echo ran >> notes.txt && sleep 30');
  await using home = await createHome({
    'pegboard.yaml': configFor(model),
    ...askingFiles,
    'spaces/s/agent/tools/slow.md': slow,
  });
  const options = { home: home.path, env: environmentOf(telegram) };
  const first = startPegboard(['start'], { ...options, apart: true });
  telegram.write(anna, 'do it');
  await saysIn(telegram, anna.id, /slow/);
  const [question] = await questionsOf(home, 1);
  await answer(home, 'allow', question!.id);
  await expect.poll(() => notesIn(home)).toEqual(['ran']);
  first.child.kill('SIGKILL');
  await first.ended;
  await using _second = startPegboard(['start'], options);
  await saysIn(telegram, anna.id, /Pegboard was interrupted during this: s\.slow/);
  expect(await questionsOf(home, 0)).toEqual([]);
  expect(await notesIn(home)).toEqual(['ran']);
});

const races = Number(process.env['PEGBOARD_RACES'] ?? rounds({ usual: 3, all: 12, soak: 12 }));

test(
  `a terminal, Telegram and an MCP client answer at once, ${races} times: one counts, the others are told`,
  async () => {
    await using telegram = await startFakeBotApi();
    await using model = await startScriptedModel([]);
    const config = {
      ...(JSON.parse(configFor(model)) as object),
      plugins: { 'builtin-telegram': { config: { confirmations: 'all' } } },
    };
    await using home = await createHome({ 'pegboard.yaml': JSON.stringify(config), ...askingFiles });
    const env = environmentOf(telegram);
    await using host = startPegboard(['start', '--http', '0'], { home: home.path, env });
    await meet(telegram);
    // A terminal that is already open: starting one takes longer than everything else.
    await using terminal = startPegboard([], { home: home.path, env: { PATH: env['PATH'] } });
    const shown = await host.waitFor(/token {4}\S+/);
    const transport = new StreamableHTTPClientTransport(new URL(/http:\S+\/mcp/.exec(shown)![0]), {
      requestInit: { headers: { Authorization: `Bearer ${/token {4}(\S+)/.exec(shown)![1]!}` } },
    });
    let asked = Promise.withResolvers<PromiseWithResolvers<JsonObject>>();
    await using client = await connectOld(transport, {
      answer() {
        const answering = Promise.withResolvers<JsonObject>();
        asked.resolve(answering);
        return answering.promise;
      },
    });

    const random = createRandom(20_261_121);
    /** Each of three places is the first, the second and the last one in turn. */
    const inTurn = (place: number): Promise<void> => delay(((place + round) % 3) * 20);
    const wins: { [place: string]: number } = {};
    let allowed = 0;
    let round: number;
    for (round = 1; round <= races; round++) {
      asked = Promise.withResolvers();
      const calling = client.call('note', { text: `round ${round}` });
      const [answering, question] = await Promise.all([
        asked.promise,
        saysIn(telegram, anna.id, new RegExp(`Question ${round},`)),
      ]);
      const says = { terminal: random.chance(0.5), telegram: random.chance(0.5), client: random.chance(0.5) };
      await Promise.all([
        inTurn(0).then(() => answering.resolve({ action: says.client ? 'accept' : 'decline' })),
        inTurn(1).then(() => telegram.press(anna, question.id, says.telegram ? 'Allow once' : 'Decline')),
        inTurn(2).then(() =>
          terminal.child.stdin.write(`/approvals ${says.terminal ? 'allow' : 'deny'} ${round}\n`),
        ),
      ]);
      const result = (await calling) as { readonly isError?: boolean };
      const ran = result.isError !== true;
      if (ran) allowed++;
      const told = `round ${round}: ${JSON.stringify({ says, result, text: question.text })}`;
      expect(await notesIn(home), told).toHaveLength(allowed);

      // Each of the other places shows who answered.
      const printed = await terminal.waitFor(new RegExp(`Question ${round}\\b.*\\n`));
      const line = new RegExp(`.*Question ${round}\\b.*`).exec(printed)![0];
      const place = line.includes('was answered already')
        ? /by (?:Anna \(@anna\), (Telegram)|the MCP (client) old)/
            .exec(line)!
            .slice(1)
            .find(Boolean)!
            .toLowerCase()
        : 'terminal';
      expect(ran, told).toBe(says[place as keyof typeof says]);
      const outcome = {
        terminal: /☑️ (Allowed|Declined) by pegboard approvals$/,
        client: /☑️ (Allowed|Declined) by the MCP client old$/,
        telegram: /(✅ Allow once|🚫 Decline) — Anna \(@anna\)$/,
      }[place]!;
      await telegram.until(() => outcome.test(question.text));
      wins[place] = (wins[place] ?? 0) + 1;
    }
    // In this number of rounds, each place has won some.
    if (races >= 100) expect(Object.keys(wins).toSorted()).toEqual(['client', 'telegram', 'terminal']);
  },
  60_000 + races * 2_000,
);
