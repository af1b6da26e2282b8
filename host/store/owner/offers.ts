import type { StateStore } from '../files/state.ts';

/** Offers that the owner declined permanently. */
export interface Offers {
  isDeclined(offer: string): boolean;
  decline(offer: string): Promise<void>;
}

export function createOffers(state: StateStore): Offers {
  return {
    isDeclined: (offer) => state.data.declined.includes(offer),
    decline: (offer) => state.update((now) => ({ ...now, declined: [...new Set([...now.declined, offer])] })),
  };
}
