/** Limits the number of events in each period, for all clients together. */
export interface RateLimit {
  take(): boolean;
}

export function createRateLimit(most: number, everyMs: number): RateLimit {
  let since = 0;
  let taken = 0;
  return {
    take() {
      const now = performance.now();
      if (since === 0 || now - since > everyMs) {
        since = now;
        taken = 0;
      }
      return ++taken <= most;
    },
  };
}
