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
import type { Bot } from './bots.ts';
import { pairWith } from './pair-step.ts';
import type { SetupPlace, StepEnd } from './step.ts';
import { storeSecret } from './store-secret.ts';

/** Connects a bot: its token is kept only if the service knows it. */
export async function setUpBot(bot: Bot, place: SetupPlace): Promise<StepEnd> {
  const { options, asks, secret, terminal } = place;
  if (secret !== undefined && options.flag(bot.option)) {
    const connected = await connect(secret, bot, place);
    if (connected === 'refused') return 'failed';
    if (connected === 'ready' && asks) await pairWith(bot, place);
    else if (connected === 'ready')
      terminal.err.line(
        `Start \`${pegboard} start\`, and write to the bot. It answers with a code for \`${pegboard} ${bot.name} pair CODE\`.`,
      );
    return 'done';
  }
  if (!asks) return 'skipped';
  const present = await presentBot(bot, place);
  const rest = present === undefined ? 'skipped' : 'kept';
  for (;;) {
    const picked = await choose(`Answer on ${bot.title} too?`, choicesFor(present, bot), place);
    if (!picked || picked.value === 'nothing') return rest;
    if (picked.value === 'pair') {
      await pairWith(bot, place);
      return 'done';
    }
    const message = 'Token of the bot';
    const token = await showForm(place, ({ password }, streams) => password({ ...streams, message }));
    if (token === undefined) return rest;
    const connected = await connect(token.trim(), bot, place);
    if (connected === 'ready') await pairWith(bot, place);
    if (connected !== 'refused') return 'done';
    terminal.err.line('Nothing was stored.');
  }
}

/** The bot whose token the home has. */
interface PresentBot {
  /** "@ada_bot" */
  readonly name: string;
  /** False where the service doesn't know the token, or can't be asked. */
  readonly answers: boolean;
  readonly isPaired: boolean;
}

async function presentBot(bot: Bot, place: SetupPlace): Promise<PresentBot | undefined> {
  const { name, title, variable, allowedVariable } = bot;
  const { host, home, terminal, signal } = place;
  if (!(environmentOf(home, host.surroundings)[variable] ?? host.secrets.get(variable))) return undefined;
  using waiting = openSpinner(terminal, `Asking ${title} about the bot`);
  const found = await checkOf(bot, host);
  // The plugin is disabled or broken, which is said when a token is to be tested.
  if (!found) return undefined;
  const people = (await runPluginCommand(host, `${name} list`, { signal })) as {
    readonly paired: readonly unknown[];
  };
  waiting[Symbol.dispose]();
  const answers = found.status === 'ok';
  if (!answers)
    terminal.err.line(terminal.err.style.warning(asSentence(shownLine(`${title} ${found.message}`))));
  return {
    name: /@[\w.]*\w/.exec(answers ? found.message : '')?.[0] ?? 'the bot',
    answers,
    isPaired: people.paired.length > 0 || Boolean(environmentOf(home, host.surroundings)[allowedVariable]),
  };
}

type Wish = 'pair' | 'connect' | 'nothing';

function choicesFor(present: PresentBot | undefined, { hint }: Bot): readonly MenuItem<Wish>[] {
  if (!present)
    return [
      { value: 'connect', label: 'Connect a bot', hint },
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
    { value: 'connect', label: 'Connect another bot', hint },
    { value: 'nothing', label: `Keep ${name}` },
  ];
}

/**
 * Stores the token if it is good. `elsewhere`: a variable comes before it, so that the bot would be another one, which was
 * said.
 */
async function connect(
  token: string,
  bot: Bot,
  place: SetupPlace,
): Promise<'ready' | 'elsewhere' | 'refused'> {
  const { host, terminal } = place;
  const { err } = terminal;
  if (!bot.tokenShape.test(token)) {
    err.line(err.style.bad(`This is not ${bot.token}.`));
    return 'refused';
  }
  const found = await checkToken(token, bot, place);
  if (found?.status !== 'ok') {
    const why =
      found?.message ?? `could not be asked: \`${pegboard} plugins\` says why its plugin does not run`;
    err.line(err.style.bad(asSentence(shownLine(`${bot.title} ${why}`))));
    return 'refused';
  }
  err.line(`${err.style.good('✓')} ${bot.title} ${asSentence(shownLine(found.message))}`);
  const isFirst = await storeSecret(bot.variable, token, place);
  await host.plugins.reload();
  return isFirst ? 'ready' : 'elsewhere';
}

/** In a host of its own, where it comes before every other token. */
async function checkToken(
  token: string,
  bot: Bot,
  { home, host: { surroundings }, terminal }: SetupPlace,
): Promise<Check | undefined> {
  using _waiting = openSpinner(terminal, `Asking ${bot.title} about the token`);
  const environment = { ...surroundings.env, [bot.variable]: token };
  await using probe = await createHost({ home, surroundings, environment, mcp: 'off', oneShot: true });
  return await checkOf(bot, probe);
}

/** The check of the plugin that asks the service about the token. */
async function checkOf({ title }: Bot, { plugins }: Host): Promise<Check | undefined> {
  const checks = await Promise.all(plugins.instances.map(runChecks));
  return checks.flat().find(({ name }) => name === title);
}
