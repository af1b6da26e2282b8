import { pegboard } from '../../core/own-command.ts';
import type { Check } from '../../api/diagnostic.ts';
import { runChecks } from '../../plugins/plugin-checks.ts';
import { createHost } from '../../create-host.ts';
import { choose, type MenuItem } from '../terminal/choose.ts';
import { openSpinner } from '../terminal/progress.ts';
import { asSentence } from '../../core/text/as-sentence.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { showForm } from '../terminal/show-form.ts';
import { pairOnTelegram } from './pair-step.ts';
import type { SetupPlace, StepEnd } from './step.ts';
import { storeSecret } from './store-secret.ts';

const variable = 'TELEGRAM_BOT_TOKEN';
/** Anything else is refused before it is stored. The plugin has the same rule for variables. */
const tokenShape = /^\d+:[\w-]+$/;
/** The check of the plugin that asks Telegram about the token. */
const checkName = 'Telegram';

/** Connects a Telegram bot: its token is kept only if Telegram knows it. */
export async function setUpTelegram(place: SetupPlace): Promise<StepEnd> {
  const { options, asks, secret, terminal } = place;
  if (secret !== undefined && options.flag('telegram-token-stdin')) {
    const connected = await connect(secret, place);
    if (connected === 'refused') return 'failed';
    if (connected === 'ready' && asks) await pairOnTelegram(place);
    else if (connected === 'ready')
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
    const connected = await connect(token.trim(), place);
    if (connected === 'ready') await pairOnTelegram(place);
    if (connected !== 'refused') return 'done';
    terminal.err.line('Nothing was stored.');
  }
}

/**
 * Stores the token if it is good. `elsewhere`: a variable comes before it, so that the bot would be another one, which was
 * said.
 */
async function connect(token: string, place: SetupPlace): Promise<'ready' | 'elsewhere' | 'refused'> {
  const { host, terminal } = place;
  const { err } = terminal;
  if (!tokenShape.test(token)) {
    err.line(err.style.bad('This is not a token that @BotFather gives: one looks like 123456:ABC-DEF1234.'));
    return 'refused';
  }
  const found = await checkToken(token, place);
  if (found?.status !== 'ok') {
    const why =
      found?.message ?? `could not be asked: \`${pegboard} plugins\` says why its plugin does not run`;
    err.line(err.style.bad(asSentence(shownLine(`${checkName} ${why}`))));
    return 'refused';
  }
  err.line(`${err.style.good('✓')} Telegram ${shownLine(found.message)}.`);
  const isFirst = await storeSecret(variable, token, place);
  await host.plugins.reload();
  return isFirst ? 'ready' : 'elsewhere';
}

/** In a host of its own, where it comes before every other token. */
async function checkToken(token: string, { home, terminal }: SetupPlace): Promise<Check | undefined> {
  using _waiting = openSpinner(terminal, 'Asking Telegram about the token');
  const environment = { ...process.env, [variable]: token };
  await using probe = await createHost({ home, environment, mcp: 'off', oneShot: true });
  const checks = await Promise.all(probe.plugins.instances.map(runChecks));
  return checks.flat().find(({ name }) => name === checkName);
}
