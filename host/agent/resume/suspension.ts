import type { Clock } from '../../api/surroundings.ts';
import { startTimer, type Timer } from '../../core/async/timer.ts';

/** The shutdown of a host, for a turn that continues after its restart. */
export interface Suspension extends Disposable {
  /** Aborts immediately: no more model requests or questions, and calls without an effect end. */
  readonly requested: AbortSignal;
  /** Aborts when tools that may have begun an effect have had time to end. */
  readonly graceOver: AbortSignal;
}

/** How long a running tool that may have begun an effect gets to end. */
const graceMs = 5_000;

export function openSuspension(signals: readonly AbortSignal[], clock: Clock): Suspension {
  const requested = AbortSignal.any([...signals]);
  const ending = new AbortController();
  let timer: Timer | undefined;
  const begin = (): void => {
    timer = startTimer(graceMs, () => ending.abort(requested.reason), clock);
  };
  if (requested.aborted) begin();
  else requested.addEventListener('abort', begin, { once: true });
  return {
    requested,
    graceOver: ending.signal,
    [Symbol.dispose]() {
      requested.removeEventListener('abort', begin);
      timer?.[Symbol.dispose]();
    },
  };
}
