/** Level-triggered work by key: requests during a run lead to one more run, however many they are. */
export interface RerunQueue {
  /** Resolves when a run that began after this call has ended. */
  next(key: string): Promise<void>;
  /** Resolves when the current run and the next requested one for this key have ended. */
  current(key: string): Promise<void>;
  settled(): Promise<void>;
}

/** `work` must not reject. Keys are independent of each other. */
export function createRerunQueue(work: (key: string) => Promise<void>): RerunQueue {
  const running = new Map<string, { readonly run: Promise<void>; again: Promise<void> | undefined }>();

  const start = (key: string): Promise<void> => {
    const run = Promise.resolve()
      .then(() => work(key))
      .finally(() => {
        if (running.get(key)?.run === run) running.delete(key);
      });
    running.set(key, { run, again: undefined });
    return run;
  };
  return {
    next(key) {
      const entry = running.get(key);
      if (!entry) return start(key);
      return (entry.again ??= entry.run.then(() => start(key)));
    },
    async current(key) {
      const entry = running.get(key);
      await (entry?.again ?? entry?.run);
    },
    async settled() {
      while (running.size > 0) await Promise.all([...running.values()].map(({ run, again }) => again ?? run));
    },
  };
}
