import type { JsonObject } from 'pegboard';

/** Data of one login until it is done. After a restart the client has to start again. */
export interface ExpiringStore {
  put(id: string, payload: JsonObject, expiresAt: number): void;
  find(id: string): JsonObject | undefined;
  /** False: it was used before, or is gone. */
  consume(id: string): boolean;
  remove(id: string): void;
  revoke(grant: string): void;
  findBy(member: string, value: string): JsonObject | undefined;
}

export function createExpiringStore(maxEntries: number): ExpiringStore {
  const entries = new Map<string, { payload: JsonObject; readonly expiresAt: number }>();
  const find = (id: string): JsonObject | undefined => {
    const entry = entries.get(id);
    if (!entry) return undefined;
    if (entry.expiresAt > Date.now() / 1000) return entry.payload;
    entries.delete(id);
    return undefined;
  };
  return {
    put(id, payload, expiresAt) {
      entries.delete(id);
      if (entries.size >= maxEntries) entries.delete(entries.keys().next().value!);
      entries.set(id, { payload, expiresAt });
    },
    find,
    consume(id) {
      const payload = find(id);
      if (!payload || payload['consumed'] !== undefined) return false;
      entries.get(id)!.payload = { ...payload, consumed: Math.floor(Date.now() / 1000) };
      return true;
    },
    remove: (id) => void entries.delete(id),
    revoke(grant) {
      for (const [id, { payload }] of entries) if (payload['grantId'] === grant) entries.delete(id);
    },
    findBy(member, value) {
      for (const [id, { payload }] of entries) if (payload[member] === value) return find(id);
      return undefined;
    },
  };
}
