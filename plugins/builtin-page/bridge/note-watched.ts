import type { Host } from 'pegboard/embed';

/** Tells the processes of the home whether somebody would see a question here. Disposing waits for that. */
export interface WatchedNote extends AsyncDisposable {
  set(isWatched: boolean): void;
}

export function createWatchedNote({ questions, reading, log }: Host): WatchedNote {
  let isNoted = false;
  /** One after the other. */
  let noting: Promise<void> = Promise.resolve();
  const set = (isWatched: boolean): void => {
    if (reading || isWatched === isNoted) return;
    isNoted = isWatched;
    noting = noting
      .then(() => questions.watch(isWatched))
      .catch((cause: unknown) => log.warn('who looks at the page could not be noted', { cause }));
  };
  return {
    set,
    async [Symbol.asyncDispose]() {
      set(false);
      await noting;
    },
  };
}
