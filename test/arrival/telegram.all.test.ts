import { expect, test } from 'vitest';
import { startScriptedModel } from '../../host/testing/index.ts';
import { keys } from '../kit/pty.ts';
import { startFakeBotApi } from '../kit/telegram/fake-bot-api.ts';
import { answerModel, arrive } from './newcomer.ts';

const ada = { id: 1001, is_bot: false, first_name: 'Ada' };

test('a person on Telegram: paired in set-up, answered at once, and after a restart', async () => {
  await using model = await startScriptedModel(({ messages }) => ({
    text: `You said: ${String(messages.findLast(({ role }) => role === 'user')?.content)}`,
  }));
  await using bot = await startFakeBotApi();
  await using newcomer = await arrive({ TELEGRAM_API_ROOT: bot.root });
  const answers = (): string =>
    bot
      .sentTo(ada.id)
      .map(({ text }) => text)
      .join('\n');

  await newcomer.install();
  {
    await using setup = newcomer.type('pegboard setup');
    await answerModel(setup, model.baseUrl);
    setup.child.stdin.write(`${keys.up}${keys.enter}`);
    await setup.next(/Token of the bot/);
    setup.child.stdin.write(`${bot.token}${keys.enter}`);
    await setup.next(/Code that the bot sent you/);
    bot.write(ada, 'the very first');
    const [, code] = await bot.until(() => /pegboard telegram pair (\w+)/.exec(answers()) ?? undefined);
    setup.child.stdin.write(`${code}${keys.enter}`);
    await setup.next(/Ada may talk to the bot/);
    await setup.next(/Answer on Discord too\?/);
    setup.child.stdin.write(keys.enter);
    await setup.next(/Keep it running: +pegboard start/);
    expect((await setup.ended).code).toBe(0);
  }
  expect(answers()).toContain('the very first');

  bot.write(ada, 'while nobody listens');
  for (const text of ['while nobody listens', 'after the restart']) {
    await using host = newcomer.type('exec pegboard start');
    await host.next(/@peg_bot/);
    if (text !== 'while nobody listens') bot.write(ada, text);
    await bot.until(() => answers().includes(text) || undefined);
    host.child.stdin.write(keys.ctrlC);
    await host.ended;
  }
});
