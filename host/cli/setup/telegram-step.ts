import { pegboard } from '../../core/own-command.ts';
import type { Check } from '../../api/diagnostic.ts';
import { runChecks } from '../../plugins/plugin-checks.ts';
import { choose, type MenuItem } from '../terminal/choose.ts';
import { openSpinner } from '../terminal/progress.ts';
import { asSentence } from '../../core/text/as-sentence.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { showForm } from '../terminal/show-form.ts';
import { pairOnTelegram } from './pair-step.ts';
import type { SetupPlace, StepEnd } from './step.ts';

const variable = 'TELEGRAM_BOT_TOKEN';
/** Anything else is refused before it is stored. The plugin has the same rule for variables. */
const tokenShape = /^\d+:[\w-]+$/;
/** The check of the plugin that asks Telegram about the token. */
const checkName = 'Telegram';

/** Connects a Telegram bot: its token is kept only if Telegram knows it. */
export async function setUpTelegram(place: SetupPlace): Promise<StepEnd> {
  const { options, asks, secret, terminal } = place;
  if (secret !== undefined && options.flag('telegram-token-stdin')) {
    if (!(await connect(secret, place))) return 'failed';
    if (asks) await pairOnTelegram(place);
    else
      terminal.err.line(
        `Start \`${pegboard} start\`, and write to the bot. It answers with a code for \`${pegboard} telegram pair CODE\`.`,
      );
    return 'done';
  }
  if (!asks) return 'skipped';
  for (;;) {
    const items: MenuItem<boolean>[] = [
      { value: true, label: 'Connect a bot', hint: 'write /newbot to @BotFather, which gives you its token' },
      { value: false, label: 'Not now' },
    ];
    const picked = await choose('Answer on Telegram too?', items, place);
    if (!picked?.value) return 'skipped';
    const message = 'Token of the bot';
    const token = await showForm(place, ({ password }, streams) => password({ ...streams, message }));
    if (token === undefined) return 'skipped';
    if (await connect(token.trim(), place)) {
      await pairOnTelegram(place);
      return 'done';
    }
    terminal.err.line('Nothing was stored.');
  }
}

/** Whether the token was good, which is stored then. */
async function connect(token: string, place: SetupPlace): Promise<boolean> {
  const { host, terminal } = place;
  const { err } = terminal;
  if (!tokenShape.test(token)) {
    err.line(err.style.bad('This is not a token that @BotFather gives: one looks like 123456:ABC-DEF1234.'));
    return false;
  }
  const before = host.secrets.get(variable);
  await host.secrets.set(variable, token, 'owner');
  const found = await telegramCheck(place);
  if (found?.status === 'ok') {
    err.line(`${err.style.good('✓')} Telegram ${shownLine(found.message)}.`);
    return true;
  }
  if (before === undefined) await host.secrets.delete(variable);
  else await host.secrets.set(variable, before, 'owner');
  await host.plugins.reload();
  const why =
    found?.message ?? `could not be asked: \`${pegboard} plugins\` says why its plugin does not run`;
  err.line(err.style.bad(asSentence(shownLine(`${checkName} ${why}`))));
  return false;
}

async function telegramCheck({ host, terminal }: SetupPlace): Promise<Check | undefined> {
  using _waiting = openSpinner(terminal, 'Asking Telegram about the token');
  await host.plugins.reload();
  const checks = await Promise.all(host.plugins.instances.map(runChecks));
  return checks.flat().find(({ name }) => name === checkName);
}
