/** Decides when to try again, and when to stop trying for a while. Pure except for `random`; times in milliseconds. */
export interface Backoff {
  /**
   * Returns how long to wait before the next attempt. `isOwnRetry`: nobody asked for this one, so it doesn't help to open
   * the circuit.
   */
  failed(now: number, isOwnRetry?: boolean): number;
  /** `aliveMs`: how long the connection lasted. Returns how long to wait before the next attempt. */
  ended(now: number, aliveMs: number): number;
  /** The time until which no attempt is made, not even for a model's call. Undefined while the circuit is closed. */
  openUntil(now: number): number | undefined;
  reset(): void;
}

const firstDelayMs = 250;
const maxDelayMs = 60_000;
/** This many failures within the window open the circuit. */
const maxFailures = 5;
const windowMs = 60_000;
const firstOpenMs = 30_000;
const maxOpenMs = 5 * 60_000;
/** A connection that lasted this long doesn't continue a series of failures. */
const healthyMs = 10_000;

export function createBackoff(random: () => number = Math.random): Backoff {
  let failures: number[] = [];
  let series = 0;
  let opened = 0;
  let openUntil = 0;

  const delay = (): number => {
    if (series === 0) return 0;
    const full = Math.min(maxDelayMs, firstDelayMs * 2 ** (series - 1));
    return full * (0.5 + random() / 2);
  };
  const count = (now: number): number => {
    failures = [...failures.filter((at) => now - at < windowMs), now];
    if (failures.length < maxFailures) return delay();
    // Half-open afterwards: one attempt decides whether the circuit closes or stays open for longer.
    const openMs = Math.min(maxOpenMs, firstOpenMs * 2 ** opened++);
    openUntil = now + openMs;
    failures = failures.slice(1 - maxFailures).map(() => now + openMs);
    return openMs;
  };
  return {
    failed(now, isOwnRetry = false) {
      series++;
      return isOwnRetry ? delay() : count(now);
    },
    ended(now, aliveMs) {
      if (aliveMs >= healthyMs) this.reset();
      const wait = count(now);
      series++;
      return wait;
    },
    openUntil: (now) => (now < openUntil ? openUntil : undefined),
    reset() {
      failures = [];
      series = 0;
      opened = 0;
      openUntil = 0;
    },
  };
}
