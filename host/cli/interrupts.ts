import { endSignals } from '../core/platform/signals.ts';
import { endProcess } from '../core/processes/exit-guard.ts';

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
export function openInterrupts(): Interrupts {
  const root = new AbortController();
  let scopes: readonly AbortController[] = [];
  let exitCode: number | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;

  const end = (code: number): void => {
    if (exitCode !== undefined) endProcess(code);
    exitCode = code;
    setTimeout(() => endProcess(code), graceMs).unref();
    for (const controller of [...scopes, root]) controller.abort(interrupted());
  };
  const onInterrupt = (): void => {
    const innermost = scopes.at(-1);
    if (!innermost) end(130);
    else if (innermost.signal.aborted) endProcess(130);
    else innermost.abort(interrupted());
  };
  const once = (handle: () => void) => (): void => {
    const now = performance.now();
    if (now - lastAt > sameSignalMs) handle();
    lastAt = now;
  };
  const handlers = {
    SIGINT: once(onInterrupt),
    ...Object.fromEntries(Object.entries(endSignals()).map(([name, code]) => [name, once(() => end(code))])),
  };
  for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);

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
      for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
    },
  };
}

function interrupted(): DOMException {
  return new DOMException('interrupted', 'AbortError');
}
