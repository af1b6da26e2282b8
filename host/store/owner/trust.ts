import type { ApprovedStore, TrustedCode } from './user-state.ts';

export interface TrustStore {
  list(): readonly TrustedCode[];
  isTrusted(id: string, hash: string): boolean;
  trust(id: string, hash: string): Promise<void>;
  /** False: it was not trusted. */
  revoke(id: string): Promise<boolean>;
}

export function createTrust(state: ApprovedStore): TrustStore {
  /** Another process may have trusted or revoked meanwhile. */
  const list = (): readonly TrustedCode[] => {
    state.reload();
    return state.data.trusted;
  };
  return {
    list,
    isTrusted: (id, hash) => list().some((entry) => entry.id === id && entry.hash === hash),
    trust: (id, hash) =>
      state.update((now) => ({
        ...now,
        trusted: [
          ...now.trusted.filter((entry) => entry.id !== id),
          { id, hash, at: new Date().toISOString() },
        ],
      })),
    async revoke(id) {
      const there = list().some((entry) => entry.id === id);
      await state.update((now) => ({ ...now, trusted: now.trusted.filter((entry) => entry.id !== id) }));
      return there;
    },
  };
}
