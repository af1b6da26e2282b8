import type { Readable } from 'node:stream';

/** Messages that are taken from one server in a window, in milliseconds; the rest waits in its own pipe. */
const maxPerWindow = 2_000;
const windowMs = 100;

/** Parsing as fast as a flooding server can print would take a whole core from everybody else. Returns what to call for each message. */
export function createReadThrottle(stream: Readable): () => void {
  let windowEnds = 0;
  let count = 0;
  return () => {
    const now = performance.now();
    if (now > windowEnds) {
      windowEnds = now + windowMs;
      count = 0;
    }
    if (++count !== maxPerWindow) return;
    stream.pause();
    setTimeout(() => stream.resume(), windowEnds - now).unref();
  };
}
