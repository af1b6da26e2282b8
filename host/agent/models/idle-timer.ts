/** Milliseconds without news until a request is given up. */
export interface IdleTimeouts {
  /** Until the first word: a reasoning model thinks silently, a local one loads first. */
  readonly firstMs: number;
  /** Between two words. */
  readonly nextMs: number;
}

export const defaultIdleTimeouts: IdleTimeouts = { firstMs: 300_000, nextMs: 90_000 };

/** Aborts when nothing was heard for too long; the SDK's own timeout ends with the headers and never ends a stream. */
export interface IdleTimer extends Disposable {
  readonly signal: AbortSignal;
  /** True after it gave up: the parent's abort is something else. */
  readonly expired: boolean;
  /** News came. */
  reset(): void;
}

export function startIdleTimer(timeouts: IdleTimeouts, parent: AbortSignal): IdleTimer {
  const controller = new AbortController();
  let expired = false;
  const onParentAbort = (): void => controller.abort(parent.reason);
  const expire = (): void => {
    expired = true;
    controller.abort();
  };
  let timer = setTimeout(expire, timeouts.firstMs);
  if (parent.aborted) onParentAbort();
  else parent.addEventListener('abort', onParentAbort, { once: true });
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    reset() {
      clearTimeout(timer);
      if (!controller.signal.aborted) timer = setTimeout(expire, timeouts.nextMs);
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      parent.removeEventListener('abort', onParentAbort);
    },
  };
}
