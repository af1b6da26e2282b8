import type { Clock } from '../../api/surroundings.ts';
import { systemClock } from './clock.ts';

/** Disposing it clears it. */
export interface Timer extends Disposable {
  /** Lets the process end before. */
  unref?(): unknown;
}

/** Calls `action` after `ms` on this clock. On the machine's own, a timer costs a fraction of a sleep. */
export function startTimer(ms: number, action: () => void, clock: Clock): Timer {
  if (clock === systemClock) return setTimeout(action, ms);
  const ending = new AbortController();
  void clock.sleep(ms, ending.signal).then(() => ending.signal.aborted || action());
  return { [Symbol.dispose]: () => ending.abort() };
}
