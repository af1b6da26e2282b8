/** Runs `work` soon after a request, once for many requests, and never twice at the same time. */
export interface Refresh extends Disposable {
  request(): void;
}

/** Upper bound of the delay under constant requests, as a multiple of the usual one. */
const maxDelays = 200;

export function createRefresh(delayMs: number, work: () => Promise<void>): Refresh {
  let delay = delayMs;
  let doneAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  let disposed = false;

  const run = async (): Promise<void> => {
    timer = undefined;
    running = true;
    await work();
    running = false;
    doneAt = performance.now();
    if (!again || disposed) return;
    again = false;
    request();
  };
  /** Doubles while requests follow directly after each run. */
  const nextDelay = (): number => {
    const isAtOnce = performance.now() - doneAt < 2 * delay;
    delay = isAtOnce ? Math.min(2 * delay, maxDelays * delayMs) : delayMs;
    return delay;
  };
  const request = (): void => {
    if (disposed) return;
    if (running) again = true;
    else timer ??= setTimeout(() => void run(), nextDelay()).unref();
  };
  return {
    request,
    [Symbol.dispose]() {
      disposed = true;
      clearTimeout(timer);
    },
  };
}
