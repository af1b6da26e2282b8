/** Work by key, level-triggered: asked for while it runs, it runs once more, however often it was asked for. */
export interface RerunQueue {
  /** Resolves when a run that began after this call has ended. */
  next(key: string): Promise<void>;
  /** Resolves when what runs or waits for this key just now has ended. */
  current(key: string): Promise<void>;
  settled(): Promise<void>;
}

/** `work` must not reject. Keys know nothing of each other. */
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
