import type { PluginDatabase } from 'pegboard';
import type { Insertable, Kysely, Updateable } from 'kysely';
import type { HistoryEntry, Watcher, WatcherTables } from './tables.ts';

/** Maximum entries per watcher; the oldest are deleted first. */
const maxEntries = 500;

export type WatcherDatabase = PluginDatabase<WatcherTables>;
type NewEntry = Omit<Insertable<WatcherTables['watchers_history']>, 'job' | 'watcher_id'>;

/** Adds the job of an entry's action, and returns its id. */
export type Enqueue = (transaction: Kysely<WatcherTables>, entry: number, watcher: number) => Promise<string>;

export interface WatcherStore {
  add(watcher: Omit<Watcher, 'id' | 'version'>): Promise<Watcher>;
  find(id: number): Promise<Watcher | undefined>;
  /** In order of creation. */
  list(which: 'active' | 'not stopped' | 'all'): Promise<readonly Watcher[]>;
  /**
   * Changes a watcher that hasn't changed since it was read, and records an event in the same step, with a job for its
   * action that `enqueue` adds. Returns the entry's id, or 0 without an event. Undefined when another host was faster and
   * nothing was changed.
   */
  advance(
    watcher: Watcher,
    changes: Updateable<WatcherTables['watchers_watchers']>,
    entry?: NewEntry,
    enqueue?: Enqueue,
  ): Promise<number | undefined>;
  findEntry(id: number): Promise<HistoryEntry | undefined>;
  /** Newest first. */
  history(watcher: number | undefined, limit: number): Promise<readonly HistoryEntry[]>;
  /** Adds jobs for actions that an older version, or one that a backup was made of, has left open. */
  adoptOpenEntries(enqueue: Enqueue): Promise<void>;
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
    async advance({ id, version }, changes, entry, enqueue) {
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
          .values({ ...entry, watcher_id: id })
          .returning('id')
          .executeTakeFirstOrThrow();
        if (enqueue) await addJob(transaction, enqueue, { entry: added.id, watcher: id });
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
    async findEntry(id) {
      const open = await database.open();
      return await open.selectFrom('watchers_history').selectAll().where('id', '=', id).executeTakeFirst();
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
    async adoptOpenEntries(enqueue) {
      await (await database.open()).transaction().execute(async (transaction) => {
        const open = await transaction
          .selectFrom('watchers_history')
          .select(['id', 'watcher_id'])
          .where('outcome', '=', 'running')
          .where('job', 'is', null)
          .execute();
        for (const { id, watcher_id: watcher } of open)
          await addJob(transaction, enqueue, { entry: id, watcher });
      });
    },
  };
}

async function addJob(
  transaction: Kysely<WatcherTables>,
  enqueue: Enqueue,
  { entry, watcher }: { readonly entry: number; readonly watcher: number },
): Promise<void> {
  const job = await enqueue(transaction, entry, watcher);
  await transaction.updateTable('watchers_history').set({ job }).where('id', '=', entry).execute();
}
