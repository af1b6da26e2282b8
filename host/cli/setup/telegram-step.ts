import { pegboard } from '../../core/own-command.ts';
import type { Check } from '../../api/diagnostic.ts';
import { runChecks } from '../../plugins/plugin-checks.ts';
import { createHost } from '../../create-host.ts';
import { environmentOf } from '../../home-environment.ts';
import type { Host } from '../../host.ts';
import { runPluginCommand } from '../run-plugin-command.ts';
import { choose, type MenuItem } from '../terminal/choose.ts';
import { openSpinner } from '../terminal/progress.ts';
import { asSentence } from '../../core/text/as-sentence.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { showForm } from '../terminal/show-form.ts';
import { pairOnTelegram } from './pair-step.ts';
import type { SetupPlace, StepEnd } from './step.ts';
import { storeSecret } from './store-secret.ts';

const variable = 'TELEGRAM_BOT_TOKEN';
/** Lists people who need no pairing. */
const allowedVariable = 'ALLOWED_TELEGRAM_IDS';
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
  const present = await presentBot(place);
  const rest = present === undefined ? 'skipped' : 'kept';
  for (;;) {
    const picked = await choose('Answer on Telegram too?', choicesFor(present), place);
    if (!picked || picked.value === 'nothing') return rest;
    if (picked.value === 'pair') {
      await pairOnTelegram(place);
      return 'done';
    }
    const message = 'Token of the bot';
    const token = await showForm(place, ({ password }, streams) => password({ ...streams, message }));
    if (token === undefined) return rest;
    const connected = await connect(token.trim(), place);
    if (connected === 'ready') await pairOnTelegram(place);
    if (connected !== 'refused') return 'done';
    terminal.err.line('Nothing was stored.');
  }
}

/** The bot whose token the home has. */
interface PresentBot {
  /** "@ada_bot" */
  readonly name: string;
  /** False where Telegram doesn't know the token, or can't be asked. */
  readonly answers: boolean;
  readonly isPaired: boolean;
}

async function presentBot(place: SetupPlace): Promise<PresentBot | undefined> {
  const { host, home, terminal, signal } = place;
  if (!(environmentOf(home)[variable] ?? host.secrets.get(variable))) return undefined;
  using waiting = openSpinner(terminal, 'Asking Telegram about the bot');
  const found = await telegramCheck(host);
  // The plugin is disabled or broken, which is said when a token is to be tested.
  if (!found) return undefined;
  const people = (await runPluginCommand(host, 'telegram list', { signal })) as {
    readonly paired: readonly unknown[];
  };
  waiting[Symbol.dispose]();
  const answers = found.status === 'ok';
  if (!answers)
    terminal.err.line(terminal.err.style.warning(asSentence(shownLine(`${checkName} ${found.message}`))));
  return {
    name: /@\w+/.exec(answers ? found.message : '')?.[0] ?? 'the bot',
    answers,
    isPaired: people.paired.length > 0 || Boolean(environmentOf(home)[allowedVariable]),
  };
}

type Wish = 'pair' | 'connect' | 'nothing';

function choicesFor(present: PresentBot | undefined): readonly MenuItem<Wish>[] {
  const connecting = 'write /newbot to @BotFather, which gives you its token';
  if (!present)
    return [
      { value: 'connect', label: 'Connect a bot', hint: connecting },
      { value: 'nothing', label: 'Not now' },
    ];
  const { name, answers, isPaired } = present;
  const pairing: MenuItem<Wish> = {
    value: 'pair',
    label: `Pair with ${name} now`,
    hint: 'nobody may talk to it yet',
  };
  return [
    ...(answers && !isPaired ? [pairing] : []),
    { value: 'connect', label: 'Connect another bot', hint: connecting },
    { value: 'nothing', label: `Keep ${name}` },
  ];
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
  return await telegramCheck(probe);
}

async function telegramCheck({ plugins }: Host): Promise<Check | undefined> {
  const checks = await Promise.all(plugins.instances.map(runChecks));
  return checks.flat().find(({ name }) => name === checkName);
}
