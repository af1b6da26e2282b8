import type { Clock } from '../../api/surroundings.ts';
import { startTimer } from '../../core/async/timer.ts';

/** How long a request may be silent before it is aborted. */
export interface IdleTimeouts {
  /** Until the first chunk: a reasoning model thinks silently, a local one loads first. */
  readonly firstMs: number;
  /** Between two chunks. */
  readonly nextMs: number;
}

export const defaultIdleTimeouts: IdleTimeouts = { firstMs: 300_000, nextMs: 90_000 };

/** Aborts after too long a silence. The SDK's own timeout covers only the headers, not the stream. */
export interface IdleTimer extends Disposable {
  readonly signal: AbortSignal;
  /** True when the timer itself caused the abort. */
  readonly expired: boolean;
  /** Called when a chunk arrives. */
  reset(): void;
}

export function startIdleTimer(timeouts: IdleTimeouts, parent: AbortSignal, clock: Clock): IdleTimer {
  const controller = new AbortController();
  let expired = false;
  const onParentAbort = (): void => controller.abort(parent.reason);
  const expire = (): void => {
    expired = true;
    controller.abort();
  };
  let timer = startTimer(timeouts.firstMs, expire, clock);
  if (parent.aborted) onParentAbort();
  else parent.addEventListener('abort', onParentAbort, { once: true });
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    reset() {
      timer[Symbol.dispose]();
      if (!controller.signal.aborted) timer = startTimer(timeouts.nextMs, expire, clock);
    },
    [Symbol.dispose]() {
      timer[Symbol.dispose]();
      parent.removeEventListener('abort', onParentAbort);
    },
  };
}
