import type { Logger } from 'pegboard';

/** Background work that is awaited only when the plugin closes. */
export interface Background extends AsyncDisposable {
  /** Runs `work` after all earlier work. A failure is logged. */
  run(what: string, work: () => Promise<void>): void;
  /** Resolves when no work is running. */
  idle(): Promise<void>;
}

/** Milliseconds that closing waits. The next run completes interrupted work. */
const maxWaitMs = 10_000;

export function createBackground(log: Logger): Background {
  let last: Promise<void> = Promise.resolve();
  const idle = async (): Promise<void> => {
    for (let seen: Promise<void> | undefined; seen !== last;) {
      seen = last;
      await seen;
    }
  };
  return {
    run(what, work) {
      last = last.then(work).catch((cause: unknown) => log.warn(`${what} failed`, { cause }));
    },
    idle,
    async [Symbol.asyncDispose]() {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, maxWaitMs);
      await Promise.race([idle(), late.promise]);
      clearTimeout(timer);
    },
  };
}
