import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { lockHome, otherHolder } from '../../store/files/home-lock.ts';
import { runPluginCommand } from '../run-plugin-command.ts';
import { openSpinner } from '../terminal/progress.ts';
import { showForm } from '../terminal/show-form.ts';
import type { SetupPlace } from './step.ts';

/** Milliseconds that the answer to the first message is waited for. */
const answerTimeoutMs = 60_000;

/**
 * Runs the bot until somebody has written to it and is paired with the code that it sent, and their message is answered.
 * The person may leave it for later.
 */
export async function pairOnTelegram(place: SetupPlace): Promise<void> {
  const { host, terminal, signal } = place;
  const { err } = terminal;
  const lockFile = join(host.home, 'data/host.lock');
  const holder = otherHolder(lockFile);
  if (holder !== undefined)
    return err.line(
      `The bot was not started here, because this home is in use by ${holder}. Stop that, run \`${pegboard} start\`, write to the bot, and pair with \`${pegboard} telegram pair CODE\`.`,
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
        `Later: \`${pegboard} start\`, write to the bot, and pair with \`${pegboard} telegram pair CODE\`.`,
      );
    const paired = await pair(code.trim(), place);
    if (paired === undefined) continue;
    err.line(`${err.style.good('✓')} ${shownLine(paired.name)} may talk to the bot.`);
    return await waitForAnswer(paired.id, place);
  }
}

interface Paired {
  readonly id: number;
  readonly name: string;
}

/** Undefined: the code is wrong, which was said. */
async function pair(code: string, { host, terminal, signal }: SetupPlace): Promise<Paired | undefined> {
  try {
    return (await runPluginCommand(host, 'telegram pair', { words: [code], signal })) as Paired;
  } catch (cause) {
    if (!(cause instanceof PegboardError)) throw cause;
    terminal.err.line(terminal.err.style.bad(shownLine(cause.message)));
    return undefined;
  }
}

async function waitForAnswer(person: number, place: SetupPlace): Promise<void> {
  const { host, terminal, signal } = place;
  const { conversations, sessions } = await host.agents();
  using _waiting = openSpinner(terminal, 'Answering the first message');
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]);
  while (!limit.aborted) {
    const [own] = await sessions.list({ key: { source: 'telegram', externalId: String(person) } });
    const [last] = own ? await conversations.recent(own.id, 1) : [];
    if (last?.role === 'assistant' && last.state !== 'running') return;
    await delay(200, undefined, { signal: limit }).catch(() => {});
  }
  terminal.err.line(`Its first message is answered when \`${pegboard} start\` runs.`);
}
