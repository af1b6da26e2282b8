import type { Logger } from 'pegboard';

/** Work that nobody waits for but whoever closes the plugin. */
export interface Background extends AsyncDisposable {
  /** Runs it after what was asked for before. A failure is logged. */
  run(what: string, work: () => Promise<void>): void;
  /** Resolves when nothing runs. */
  idle(): Promise<void>;
}

/** Milliseconds that closing waits; what is cut off is done by the next run. */
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
