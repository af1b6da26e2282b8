import type { ChannelParts } from '../channel-parts.ts';
import type { StoredEvent } from '../inbox/events.ts';

/** The first message of each person who got a code: answered once they are paired, in whatever process that happens. */
export interface WaitingRoom {
  /**
   * False: another message of this person waits already. The event stays open in the database, so it waits again after a
   * restart.
   */
  hold(person: string, event: StoredEvent): boolean;
  holds(event: StoredEvent): boolean;
  /** Resolves when nothing is waited for any more, after `signal` has aborted. */
  settled(): Promise<void>;
}

const intervalMs = 1_000;

/** `admit` gets the message of a person who is allowed now. A message whose code has expired is dropped. */
export function createWaitingRoom(
  {
    pairing,
    allowed,
    events,
    signal,
    clock,
    log,
  }: Pick<ChannelParts, 'pairing' | 'allowed' | 'events' | 'signal' | 'clock' | 'log'>,
  admit: (event: StoredEvent) => void,
): WaitingRoom {
  const held = new Map<string, StoredEvent>();
  let watching: Promise<void> = Promise.resolve();
  let isWatching = false;

  const look = async (): Promise<void> => {
    const pending = new Set((await pairing.waiting()).map(({ id }) => id));
    for (const [person, event] of held) {
      if (await allowed.has(person)) {
        held.delete(person);
        admit(event);
      } else if (!pending.has(person)) {
        held.delete(person);
        await events.change(event.id, { state: 'done' });
      }
    }
  };
  const watch = async (): Promise<void> => {
    while (held.size > 0 && !signal.aborted) {
      await clock.sleep(intervalMs, signal);
      if (signal.aborted) break;
      await look().catch((cause: unknown) =>
        log.error('the list of paired people could not be read', { cause }),
      );
    }
    isWatching = false;
  };
  return {
    hold(person, event) {
      if (held.has(person)) return false;
      held.set(person, event);
      if (!isWatching) {
        isWatching = true;
        watching = watch();
      }
      return true;
    },
    holds: ({ id }) => [...held.values()].some((one) => one.id === id),
    settled: () => watching,
  };
}
