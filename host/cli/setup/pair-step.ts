import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { lockHome, otherHolder } from '../../store/files/home-lock.ts';
import { runPluginCommand } from '../run-plugin-command.ts';
import { openSpinner } from '../terminal/progress.ts';
import { showForm } from '../terminal/show-form.ts';
import type { Bot } from './bots.ts';
import type { SetupPlace } from './step.ts';

/** Milliseconds that the answer to the first message is waited for. */
const answerTimeoutMs = 60_000;

/**
 * Runs the bot until somebody has written to it and is paired with the code that it sent, and their message is answered.
 * The person may leave it for later.
 */
export async function pairWith(bot: Bot, place: SetupPlace): Promise<void> {
  const { host, terminal, signal } = place;
  const { err } = terminal;
  const lockFile = join(host.home, 'data/host.lock');
  const holder = otherHolder(lockFile);
  if (holder !== undefined)
    return err.line(
      `The bot was not started here, because this home is in use by ${holder}. Stop that, run \`${pegboard} start\`, write to the bot, and pair with \`${pegboard} ${bot.name} pair CODE\`.`,
    );
  using _lock = await lockHome(lockFile, { kind: 'a set-up' });
  await host.plugins.startServices();
  err.line('Write anything to the bot now. It answers with a code.');
  for (;;) {
    const code = await showForm(place, ({ text }, streams) =>
      text({ ...streams, message: 'Code that the bot sent you (empty: later)' }),
    );
    if (signal.aborted || !code?.trim())
      return err.line(
        `Later: \`${pegboard} start\`, write to the bot, and pair with \`${pegboard} ${bot.name} pair CODE\`.`,
      );
    const began = new Date().toISOString();
    const paired = await pair(code.trim(), bot, place);
    if (paired === undefined) continue;
    err.line(`${err.style.good('✓')} ${shownLine(paired.name)} may talk to the bot.`);
    return await waitForAnswer(began, bot, place);
  }
}

interface Paired {
  readonly name: string;
}

/** Undefined: the code is wrong, which was said. */
async function pair(
  code: string,
  bot: Bot,
  { host, terminal, signal }: SetupPlace,
): Promise<Paired | undefined> {
  try {
    return (await runPluginCommand(host, `${bot.name} pair`, { words: [code], signal })) as Paired;
  } catch (cause) {
    if (!(cause instanceof PegboardError)) throw cause;
    terminal.err.line(terminal.err.style.bad(shownLine(cause.message)));
    return undefined;
  }
}

/** `began`: when they were paired. */
async function waitForAnswer(began: string, { name }: Bot, place: SetupPlace): Promise<void> {
  const { host, terminal, signal } = place;
  const { conversations, sessions } = await host.agents();
  using _waiting = openSpinner(terminal, 'Answering the first message');
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]);
  while (!limit.aborted) {
    const [newest] = await sessions.list({ source: name, limit: 1 });
    const isTheirs = newest !== undefined && newest.lastAt >= began;
    const [last] = isTheirs ? await conversations.recent(newest.id, 1) : [];
    if (last?.role === 'assistant' && last.state !== 'running') return;
    await delay(200, undefined, { signal: limit }).catch(() => {});
  }
  terminal.err.line(`Its first message is answered when \`${pegboard} start\` runs.`);
}
