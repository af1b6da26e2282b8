import type { Pins, PinStore } from './pins.ts';

/** What is approved of one server. What can't be written holds for this process all the same. */
export interface ServerPins {
  /** Undefined: the server has never been seen. */
  readonly current: Pins | undefined;
  /** Resolves when the change would survive a crash; rejects when it can't be written. */
  update(change: (before: Pins | undefined) => Pins): Promise<void>;
}

export function createServerPins(server: string, store: PinStore): ServerPins {
  let unwritten: Pins | undefined;
  const current = (): Pins | undefined => unwritten ?? store.get(server);
  return {
    get current() {
      return current();
    },
    async update(change) {
      try {
        await store.update(server, (stored) => change(unwritten ?? stored));
        unwritten = undefined;
      } catch (cause) {
        unwritten = change(current());
        throw cause;
      }
    },
  };
}
