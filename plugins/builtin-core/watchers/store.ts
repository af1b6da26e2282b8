import type { PluginDatabase } from 'pegboard';
import { isAbandoned, thisProcess } from 'pegboard/processes';
import type { Insertable, Updateable } from 'kysely';
import type { HistoryEntry, Watcher, WatcherTables } from './tables.ts';

/** The owner of released runs. */
const none = '';
/** Maximum entries per watcher; the oldest are deleted first. */
const maxEntries = 500;

export type WatcherDatabase = PluginDatabase<WatcherTables>;
type NewEntry = Omit<Insertable<WatcherTables['watchers_history']>, 'owner' | 'watcher_id'>;

export interface WatcherStore {
  add(watcher: Omit<Watcher, 'id' | 'version'>): Promise<Watcher>;
  find(id: number): Promise<Watcher | undefined>;
  /** In order of creation. */
  list(which: 'active' | 'not stopped' | 'all'): Promise<readonly Watcher[]>;
  /**
   * Changes a watcher that hasn't changed since it was read, and records an event in the same step. Returns the entry's
   * id, or 0 without an event. Undefined when another process was faster and nothing was changed.
   */
  advance(
    watcher: Watcher,
    changes: Updateable<WatcherTables['watchers_watchers']>,
    entry?: NewEntry,
  ): Promise<number | undefined>;
  /** Leaves the interrupted work to the next host, which reports it. */
  release(entry: number): Promise<void>;
  endEntry(id: number, outcome: HistoryEntry['outcome'], detail: string): Promise<void>;
  /** Newest first. */
  history(watcher: number | undefined, limit: number): Promise<readonly HistoryEntry[]>;
  /** Marks work of dead processes as uncertain. Each entry is returned once. */
  takeAbandoned(): Promise<readonly HistoryEntry[]>;
}

export function createWatcherStore(database: WatcherDatabase): WatcherStore {
  return {
    async add(watcher) {
      const open = await database.open();
      return await open
        .insertInto('watchers_watchers')
        .values({ ...watcher, version: 1 })
        .returningAll()
        .executeTakeFirstOrThrow();
    },
    async find(id) {
      const open = await database.open();
      return await open.selectFrom('watchers_watchers').selectAll().where('id', '=', id).executeTakeFirst();
    },
    async list(which) {
      const open = await database.open();
      return await open
        .selectFrom('watchers_watchers')
        .selectAll()
        .$if(which === 'active', (query) => query.where('state', '=', 'active'))
        .$if(which === 'not stopped', (query) => query.where('state', '!=', 'stopped'))
        .orderBy('id')
        .execute();
    },
    async advance({ id, version }, changes, entry) {
      const open = await database.open();
      return await open.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable('watchers_watchers')
          .set({ ...changes, version: version + 1 })
          .where('id', '=', id)
          .where('version', '=', version)
          .returning('id')
          .executeTakeFirst();
        if (!changed) return undefined;
        if (!entry) return 0;
        const added = await transaction
          .insertInto('watchers_history')
          .values({ ...entry, watcher_id: id, owner: thisProcess })
          .returning('id')
          .executeTakeFirstOrThrow();
        const kept = transaction
          .selectFrom('watchers_history')
          .select('id')
          .where('watcher_id', '=', id)
          .orderBy('id', 'desc')
          .limit(maxEntries);
        await transaction
          .deleteFrom('watchers_history')
          .where('watcher_id', '=', id)
          .where('id', 'not in', kept)
          .execute();
        return added.id;
      });
    },
    async release(entry) {
      const open = await database.open();
      await open.updateTable('watchers_history').set({ owner: none }).where('id', '=', entry).execute();
    },
    async endEntry(id, outcome, detail) {
      const open = await database.open();
      await open.updateTable('watchers_history').set({ outcome, detail }).where('id', '=', id).execute();
    },
    async history(watcher, limit) {
      const open = await database.open();
      return await open
        .selectFrom('watchers_history')
        .selectAll()
        .$if(watcher !== undefined, (query) => query.where('watcher_id', '=', watcher!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },
    async takeAbandoned() {
      const open = await database.open();
      const running = await open
        .selectFrom('watchers_history')
        .selectAll()
        .where('outcome', '=', 'running')
        .orderBy('id')
        .execute();
      const taken: HistoryEntry[] = [];
      for (const entry of running.filter(({ owner, at }) => owner === none || isAbandoned(owner, at))) {
        const own = await open
          .updateTable('watchers_history')
          .set({ outcome: 'uncertain', detail: 'Pegboard was stopped before it finished' })
          .where('id', '=', entry.id)
          .where('outcome', '=', 'running')
          .returning('id')
          .executeTakeFirst();
        if (own) taken.push(entry);
      }
      return taken;
    },
  };
}
