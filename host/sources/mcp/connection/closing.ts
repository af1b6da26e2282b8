/** Things that are being closed in the background. */
export interface Closing {
  /** Failures to close are ignored. */
  close(one: AsyncDisposable): void;
  /** Resolves when everything is closed. */
  settled(): Promise<void>;
}

export function createClosing(): Closing {
  const closing = new Set<Promise<void>>();
  return {
    close(one) {
      const done: Promise<void> = Promise.resolve(one[Symbol.asyncDispose]())
        .catch(() => {})
        .finally(() => void closing.delete(done));
      closing.add(done);
    },
    async settled() {
      await Promise.all(closing);
    },
  };
}
