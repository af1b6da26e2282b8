import type { Readable } from 'node:stream';

/** Maximum messages from one server in a window (milliseconds); the rest waits in the pipe. */
const maxPerWindow = 2_000;
const windowMs = 100;

/**
 * Limits the rate of messages, since parsing as fast as a flooding server can print would occupy a whole core. Returns
 * a function to call for each message.
 */
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
