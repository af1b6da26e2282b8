import type { Connection } from '../connection/connection.ts';
import type { Listed } from './listing.ts';

/**
 * What a server offers over several connections at once: what it shows to any of them. A tool that two of them show is
 * taken from the one that was there first.
 */
export interface MergedList {
  /** What all connections that are open have listed, this one included. */
  add(connection: Connection, listed: Listed): readonly unknown[];
}

export function createMergedList(): MergedList {
  const lists = new Map<Connection, readonly unknown[]>();
  return {
    add(connection, { items }) {
      if (!lists.has(connection)) void connection.ended.then(() => lists.delete(connection));
      lists.set(connection, items);
      const named = new Map<unknown, unknown>();
      for (const item of [...lists.values()].flat()) {
        const name = (item as { readonly name?: unknown } | null)?.name;
        const key = typeof name === 'string' ? name : item;
        if (!named.has(key)) named.set(key, item);
      }
      return lists.size === 1 ? items : [...named.values()];
    },
  };
}
