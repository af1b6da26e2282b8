/** Runs `work` soon after being asked, once for many requests, and never twice at a time. */
export interface Refresh extends Disposable {
  request(): void;
}

export function createRefresh(delayMs: number, work: () => Promise<void>): Refresh {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  let disposed = false;

  const run = async (): Promise<void> => {
    timer = undefined;
    running = true;
    await work();
    running = false;
    if (!again || disposed) return;
    again = false;
    request();
  };
  const request = (): void => {
    if (disposed) return;
    if (running) again = true;
    else timer ??= setTimeout(() => void run(), delayMs).unref();
  };
  return {
    request,
    [Symbol.dispose]() {
      disposed = true;
      clearTimeout(timer);
    },
  };
}
