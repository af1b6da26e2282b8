import { join } from 'node:path';
import type { TrustedCode, UserState } from './user-state.ts';

export interface TrustStore {
  /** Absolute path of the folder with copies of trusted code. */
  readonly codeFolder: string;
  list(): readonly TrustedCode[];
  isTrusted(id: string, hash: string): boolean;
  trust(id: string, hash: string): Promise<void>;
  /** False: it was not trusted. */
  revoke(id: string): Promise<boolean>;
}

export function createTrust({ folder, approved: state }: UserState): TrustStore {
  /** Reads the file again, since another process may have trusted or revoked something. */
  const list = (): readonly TrustedCode[] => {
    state.reload();
    return state.data.trusted;
  };
  return {
    codeFolder: join(folder, 'code'),
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
