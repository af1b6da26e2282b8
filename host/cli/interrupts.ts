import { endSignals } from '../core/platform/signals.ts';
import { withoutGuard } from '../core/platform/exit-guard.ts';
import type { CliSurroundings } from './surroundings.ts';

/** How long a command may take to end after a signal, before the process ends without it. */
const graceMs = 30_000;
/**
 * A terminal signals a whole process group, and npm and the launcher pass signals on, so one Ctrl-C may arrive several
 * times.
 */
const sameSignalMs = 200;

/** What SIGINT ends first, for example one line of a session instead of the whole session. */
export interface InterruptScope extends Disposable {
  readonly signal: AbortSignal;
}

export interface Interrupts extends Disposable {
  readonly signal: AbortSignal;
  /** 130 after SIGINT, that of `endSignals` after another signal, undefined before. */
  readonly exitCode: number | undefined;
  openScope(): InterruptScope;
}

/** The first signal asks the command to end; the second, or half a minute, ends the process. */
export function openInterrupts({
  signals,
  exit,
  clock,
}: Pick<CliSurroundings, 'signals' | 'exit' | 'clock'>): Interrupts {
  const root = new AbortController();
  let scopes: readonly AbortController[] = [];
  let exitCode: number | undefined;
  const ended = new AbortController();
  let lastAt = Number.NEGATIVE_INFINITY;

  const endNow = (code: number): never => withoutGuard(() => exit(code));
  const end = (code: number): void => {
    if (exitCode !== undefined) endNow(code);
    exitCode = code;
    void clock.sleep(graceMs, ended.signal).then(() => ended.signal.aborted || endNow(code));
    for (const controller of [...scopes, root]) controller.abort(interrupted());
  };
  const onInterrupt = (): void => {
    const innermost = scopes.at(-1);
    if (!innermost) end(130);
    else if (innermost.signal.aborted) endNow(130);
    else innermost.abort(interrupted());
  };
  const once = (handle: () => void) => (): void => {
    const now = clock.monotonic();
    if (now - lastAt > sameSignalMs) handle();
    lastAt = now;
  };
  const handlers = {
    SIGINT: once(onInterrupt),
    ...Object.fromEntries(Object.entries(endSignals()).map(([name, code]) => [name, once(() => end(code))])),
  };
  for (const [name, handler] of Object.entries(handlers)) signals.on(name, handler);

  return {
    signal: root.signal,
    get exitCode() {
      return exitCode;
    },
    openScope() {
      const controller = new AbortController();
      scopes = [...scopes, controller];
      return {
        signal: AbortSignal.any([controller.signal, root.signal]),
        [Symbol.dispose]() {
          scopes = scopes.filter((other) => other !== controller);
        },
      };
    },
    [Symbol.dispose]() {
      ended.abort();
      for (const [name, handler] of Object.entries(handlers)) signals.off(name, handler);
    },
  };
}

function interrupted(): DOMException {
  return new DOMException('interrupted', 'AbortError');
}
