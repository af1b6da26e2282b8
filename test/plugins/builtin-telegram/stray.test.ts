import { expect, test } from 'vitest';
import { configFor } from '../../kit/homes/agent-home.ts';
import { askingFiles, notesIn } from '../../kit/homes/asking-home.ts';
import { startPegboard } from '../../kit/cli.ts';
import { anna, startFakeBotApi, type FakeCall } from '../../kit/telegram/fake-bot-api.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { startScriptedModel, type Script } from '../../../host/testing/index.ts';
import { environmentOf, openBotHome, saysIn } from './bot-home.ts';

const files = {
  ...askingFiles,
  'spaces/s/agent/tools/slow.md': manifest('slow', 'command: echo ran >> notes.txt && sleep 30'),
};

/**
 * Kills the bot when Telegram has processed a call like this, before the bot gets the response; then starts it again.
 */
async function killedAt(script: Script, isIt: (call: FakeCall) => boolean) {
  await using opened = new AsyncDisposableStack();
  const telegram = opened.use(await startFakeBotApi());
  const model = opened.use(await startScriptedModel(script));
  const home = opened.use(await createHome({ 'pegboard.yaml': configFor(model), ...files }));
  const options = { home: home.path, env: environmentOf(telegram) };
  const first = startPegboard(['start'], { ...options, apart: true });
  let isKilled = false;
  telegram.onCall((call, stage) => {
    if (isKilled || stage !== 'answered' || call.method !== 'sendMessage' || !isIt(call)) return;
    isKilled = first.child.kill('SIGKILL');
  });
  telegram.write(anna, 'note it');
  await first.ended;
  opened.use(startPegboard(['start'], options));
  const owned = opened.move();
  return { telegram, home, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const isDraft = ({ params }: FakeCall): boolean => String(params['text']).endsWith('…');

test('killed before it knows the number of its question, a bot asks it only once', async () => {
  await using bot = await killedAt(
    ({ messages }) =>
      messages.at(-1)!.role === 'tool'
        ? { text: 'it is noted' }
        : { toolCalls: [{ name: 'note', arguments: { text: 'x' } }] },
    ({ params }) => params['reply_markup'] !== undefined,
  );
  const question = await saysIn(bot.telegram, anna.id, /note/);
  await bot.telegram.until(() => bot.telegram.calls.some(({ method }) => method === 'editMessageText'));
  bot.telegram.press(anna, question.id, 'Allow once');
  await saysIn(bot.telegram, anna.id, 'it is noted');
  expect(await notesIn(bot.home)).toHaveLength(1);
  expect(question.text).toContain('✅ Allow once');
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(2);
});

test('killed before it knows the number of a draft, a bot goes on in the same message', async () => {
  let asked = 0;
  await using bot = await killedAt(
    () => ({
      text: 'a thought that is long enough',
      chunks: 5,
      ...(asked++ === 0 && { faults: { hangAfter: 4 } }),
    }),
    isDraft,
  );
  await saysIn(bot.telegram, anna.id, 'a thought that is long enough');
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
});

test('killed while a tool runs, a bot goes on in the same message, and says at its end what was cut off', async () => {
  await using bot = await killedAt(
    ({ messages }) =>
      messages.at(-1)!.role === 'tool'
        ? { text: 'I look at it' }
        : { text: 'I begin with it now', toolCalls: [{ name: 'slow', arguments: {} }] },
    isDraft,
  );
  await saysIn(
    bot.telegram,
    anna.id,
    /^I begin with it now\n\nI look at it\n\n⚠️ Pegboard was interrupted during this: s\.slow/,
  );
  expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
  expect(await notesIn(bot.home)).toEqual(['ran']);
});

test.each(['cut', 'cut-after'] as const)(
  'a draft of which nobody knows whether it arrived (%s) leaves nothing beside the answer',
  async (fault) => {
    await using bot = await openBotHome(
      async () => {
        if (bot.model.requests.length === 1)
          return { text: 'I begin', toolCalls: [{ name: 'pause', arguments: {} }] };
        return { text: ', and that is all' };
      },
      { files: { ...files, 'spaces/s/agent/tools/pause.md': manifest('pause', 'command: sleep 1.5') } },
    );
    bot.telegram.fail('sendMessage', fault, 1);
    bot.telegram.write(anna, 'hi');
    await bot.says(anna.id, /that is all$/);
    expect(bot.telegram.sentTo(anna.id)).toHaveLength(1);
  },
);
