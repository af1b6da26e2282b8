import type { Clock } from '../../api/surroundings.ts';
import { systemClock } from './clock.ts';

/** Disposing it clears it. */
export interface Timer extends Disposable {
  /** Lets the process end before, if the clock is the machine's. */
  unref?(): void;
}

/** Calls `action` after `ms` on this clock. On the machine's own it costs a fraction of a sleep. */
export function startTimer(ms: number, action: () => void, clock: Clock): Timer {
  if (clock === systemClock) return new MachineTimer(setTimeout(action, ms));
  const ending = new AbortController();
  void clock.sleep(ms, ending.signal).then(() => ending.signal.aborted || action());
  return { [Symbol.dispose]: () => ending.abort() };
}

/** Calls `action` every `ms` on this clock, until it is disposed. On the machine's own it doesn't keep the process alive. */
export function startInterval(ms: number, action: () => void, clock: Clock): Disposable {
  if (clock === systemClock) return new MachineTimer(setInterval(action, ms).unref());
  const ending = new AbortController();
  const repeat = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(ms, ending.signal);
      if (ending.signal.aborted) return;
      action();
    }
  };
  void repeat();
  return { [Symbol.dispose]: () => ending.abort() };
}

class MachineTimer implements Timer {
  readonly #timer: NodeJS.Timeout;

  constructor(timer: NodeJS.Timeout) {
    this.#timer = timer;
  }

  unref(): void {
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
