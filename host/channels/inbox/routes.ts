import type { StoredEvent } from './events.ts';

export interface Routes {
  add(event: StoredEvent): void;
  settled(): Promise<unknown>;
}

/** Routes events of one conversation in order, and different conversations concurrently. `route` must not reject. */
export function createRoutes(route: (event: StoredEvent) => Promise<void>): Routes {
  const tails = new Map<string, Promise<void>>();
  return {
    add(event) {
      const { conversation } = event;
      const before = tails.get(conversation) ?? Promise.resolve();
      const tail = before
        .then(() => route(event))
        .finally(() => {
          if (tails.get(conversation) === tail) tails.delete(conversation);
        });
      tails.set(conversation, tail);
    },
    settled: () => Promise.all(tails.values()),
  };
}
