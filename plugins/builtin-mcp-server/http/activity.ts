/** Counts running calls, so that closing can wait for them. */
export interface Activity {
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when no call is running, or after `ms`. */
  idle(ms: number): Promise<void>;
}

export function createActivity(): Activity {
  let running = 0;
  let idle = Promise.withResolvers<void>();
  const ended = (): void => {
    if (--running === 0) idle.resolve();
  };
  return {
    track(work) {
      if (running++ === 0) idle = Promise.withResolvers();
      void work.then(ended, ended);
      return work;
    },
    async idle(ms) {
      if (running === 0) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      await Promise.race([idle.promise, late]);
      clearTimeout(timer);
    },
  };
}
