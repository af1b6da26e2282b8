import { exitCodeOf, messageOf, PegboardError } from '../core/errors.ts';
import { homeTrust } from '../home-trust.ts';
import { explainSystemError } from '../core/system-error.ts';
import type { Terminal } from './terminal/terminal.ts';
import { cutMessage, shownMessage } from './terminal/safe.ts';
import { beforeEnd } from './parse.ts';
import { asSentence } from '../core/text/as-sentence.ts';

/** Reports what ended a command, in one paragraph on stderr, and returns the exit code. Details go to the log. */
export async function reportFailure(
  cause: unknown,
  {
    args,
    terminal,
    home,
  }: { readonly args: readonly string[]; readonly terminal: Terminal; readonly home: string | undefined },
): Promise<number> {
  const { err } = terminal;
  const first = firstError(cause);
  const thrown = explainSystemError(first) ?? first;
  const expected = thrown instanceof PegboardError;
  const code = expected ? thrown.code : 'PEG_INTERNAL';
  const logged = expected && thrown.cause === undefined ? undefined : await log(thrown, args, home, terminal);
  const message = cutMessage(messageOf(thrown).trim());
  const inWords = shownMessage(message);
  const more =
    logged === undefined ? '--debug shows where.' : `${logged} has the details; --debug shows them.`;
  const shown = expected ? inWords : `${asSentence(inWords)} This is a bug in Pegboard: ${more}`;
  err.line(`${err.style.bad('error:')} ${shown}`);
  if (beforeEnd(args).includes('--debug') && thrown instanceof Error)
    err.line(err.style.quiet(shownMessage(stackOf(thrown))));
  if (beforeEnd(args).includes('--json')) {
    const data = expected ? thrown.data : undefined;
    terminal.json({ ok: false, error: { code, message, ...(data !== undefined && { data }) } });
  }
  return exitCodeOf(code);
}

/** What went wrong at first, where cleaning up after it failed too. */
const firstError = (thrown: unknown): unknown =>
  thrown instanceof SuppressedError ? firstError(thrown.suppressed) : thrown;

/** The path of the log, or undefined when it can't be written: that must not hide the failure itself. */
async function log(
  thrown: unknown,
  args: readonly string[],
  home: string | undefined,
  terminal: Terminal,
): Promise<string | undefined> {
  const { existsSync } = await import('node:fs');
  // Nothing is written into an unknown home.
  if (home === undefined || !existsSync(home) || homeTrust(home, terminal.surroundings) !== 'known')
    return undefined;
  const { createHomeLogger, logFileOf } = await import('../core/log.ts');
  using logger = createHomeLogger(home, (text) => terminal.redact(text));
  logger.error('a command failed', { command: args[0], cause: thrown });
  return logFileOf(home);
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by: ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
