import { type Clock, PegboardError } from 'pegboard';
import { isHoldUp } from '../failure.ts';
import type { StoredEvent } from './events.ts';

export interface Routes {
  /** Does nothing for an event that is on its way. `wasLeft`: it may have been routed meanwhile. */
  add(event: StoredEvent, how?: { readonly wasLeft: boolean }): void;
  /** Resolves when `signal` has aborted, or all events are routed. */
  settled(): Promise<unknown>;
}

export interface RoutesOptions {
  readonly route: (event: StoredEvent) => Promise<void>;
  /** The event as it is now. Undefined: there is none. */
  readonly find: (id: number) => Promise<StoredEvent | undefined>;
  readonly onError: (cause: unknown) => void;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Milliseconds until an event that could not be routed is tried again, at first and at most. */
const firstPauseMs = 250;
const longestPauseMs = 8_000;

/**
 * Routes events of one conversation in order, and different conversations concurrently. While the database or the
 * account fails, an event is tried again, and the later ones of its conversation wait.
 */
export function createRoutes({ route, find, onError, signal, clock }: RoutesOptions): Routes {
  const tails = new Map<string, Promise<void>>();
  const onTheirWay = new Set<number>();
  const isAsBefore = async ({ id, state, job }: StoredEvent): Promise<boolean> => {
    const now = await find(id);
    return now?.state === state && now.job === job;
  };
  /** `isSure`: nobody can have routed it yet. */
  const routePatiently = async (event: StoredEvent, isSure: boolean): Promise<void> => {
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        // What failed may have been done, another host may have it now, and the one before it may have needed it.
        const isOpen = (attempt === 1 && isSure) || (await isAsBefore(event));
        if (isOpen) await route(event);
        return;
      } catch (cause) {
        onError(cause);
        const isPassing =
          (cause instanceof PegboardError && cause.code === 'PEG_DATABASE') ||
          (isHoldUp(cause) && cause.scope === 'account');
        if (!isPassing) return;
        const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
        await clock.sleep(pauseMs, signal);
      }
    }
  };
  return {
    add(event, { wasLeft } = { wasLeft: false }) {
      const { id, conversation } = event;
      if (onTheirWay.has(id)) return;
      onTheirWay.add(id);
      const before = tails.get(conversation);
      const tail = (before ?? Promise.resolve())
        .then(() => routePatiently(event, !wasLeft && !before))
        .finally(() => {
          onTheirWay.delete(id);
          if (tails.get(conversation) === tail) tails.delete(conversation);
        });
      tails.set(conversation, tail);
    },
    settled: () => Promise.all(tails.values()),
  };
}
