import type { Reading } from './reading.ts';

/** Milliseconds between two looks at what has no event. */
const refreshMs = 5_000;

/** Reads it now, when it may be old, and again and again while the page is seen, until the returned function is called. */
export function refreshing(one: Reading<unknown>): () => void {
  const stop = one.follow();
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void one.read();
  }, refreshMs);
  return () => {
    clearInterval(timer);
    stop();
  };
}
