import { DatabaseSync } from 'node:sqlite';
import { sqliteMigrations } from './tables/migrations.ts';
import { runScript } from './run-script.ts';

/** The owner of tables, indexes, triggers and views. */
export interface TableOwner {
  /** The plugin's id. */
  readonly plugin: string;
  /** Lower case. Each name that the plugin creates begins with one of them. */
  readonly prefixes: readonly string[];
}

interface SchemaObject {
  /** "table", "index", "trigger" or "view". */
  readonly type: string;
  readonly name: string;
  /** The table that an index or trigger is on. */
  readonly table: string;
  readonly sql: string | null;
}

/** By type and name, because a trigger may have the name of a table. Without SQLite's internal objects. */
type Schema = ReadonlyMap<string, SchemaObject>;

/**
 * Runs the scripts after the first `done` ones, within a transaction. They may only create, change and drop the
 * plugin's own objects; names are compared at the end, so that a script can rename what an earlier one created. Throws
 * an error about anything else; the caller rolls back.
 */
export function runPluginMigrations(
  database: DatabaseSync,
  owner: TableOwner,
  scripts: readonly string[],
  done: number,
): void {
  database.exec(
    'create table if not exists plugin_objects (object text primary key, plugin text not null) strict',
  );
  const before = schemaOf(database);
  const owns = ownershipIn(database, owner, done > 0);
  /** The migrations that created the new objects. */
  const madeBy = new Map<string, number>();
  let now = before;
  for (const [index, script] of scripts.entries()) {
    if (index < done) continue;
    const number = index + 1;
    const foreign = (table: string): SchemaObject | undefined => {
      const there = before.get(`table ${table}`);
      return there && !owns.isOwn(there) ? there : undefined;
    };
    runScript(database, script, {
      number,
      checkRows: (table) => {
        const there = foreign(table);
        if (there) throw owns.refusal(number, 'changes', there);
      },
      isFree: (table) => foreign(table) === undefined,
    });
    const earlier = now;
    now = schemaOf(database);
    for (const [key, object] of earlier) {
      const next = now.get(key);
      if (next?.sql === object.sql && next.table === object.table) continue;
      if (before.has(key) && !owns.isOwn(object))
        throw owns.refusal(number, next ? 'changes' : 'drops', object);
    }
    for (const key of now.keys()) if (!earlier.has(key)) madeBy.set(key, number);
  }
  const made = [...now].filter(([key]) => !before.has(key));
  for (const [key, object] of made) checkNew(object, madeBy.get(key)!, before, owner, owns);
  owns.record(now);
}

function checkNew(
  object: SchemaObject,
  number: number,
  before: Schema,
  { prefixes }: TableOwner,
  owns: Ownership,
): void {
  const { type, name, table } = object;
  if (!prefixes.some((prefix) => name.toLowerCase().startsWith(prefix))) {
    throw new Error(
      `its migration ${number} creates the ${type} "${name}", but a plugin's names begin with ${[...new Set(prefixes)].map((prefix) => `"${prefix}"`).join(' or ')}. Rename it in that migration`,
    );
  }
  const on = before.get(`table ${table}`) ?? before.get(`view ${table}`);
  if (on && !owns.isOwn(on)) throw owns.refusal(number, `adds the ${type} "${name}" to`, on);
}

interface Ownership {
  isOwn(object: SchemaObject): boolean;
  refusal(migration: number, does: string, object: SchemaObject): Error;
  /** Records everything new or renamed as the plugin's own. */
  record(now: Schema): void;
}

/**
 * `adopts`: the plugin has run migrations here. If none of its objects are recorded, they were created before records
 * existed; then everything that is neither the host's nor another plugin's counts as its own.
 */
function ownershipIn(database: DatabaseSync, { plugin }: TableOwner, adopts: boolean): Ownership {
  const rows = database.prepare('select object, plugin from plugin_objects').all();
  const owners = new Map(rows.map((row) => [row['object'] as string, row['plugin'] as string]));
  const ofHost = adopts && ![...owners.values()].includes(plugin) ? hostSchema() : undefined;
  const before = schemaOf(database);
  const isOwn = (object: SchemaObject): boolean => {
    const known = owners.get(keyOf(object));
    return known === undefined ? ofHost?.has(keyOf(object)) === false : known === plugin;
  };
  return {
    isOwn,
    refusal(migration, does, object) {
      const whose = owners.get(keyOf(object));
      return new Error(
        `its migration ${migration} ${does} the ${object.type} "${object.name}", which belongs to ${whose === undefined ? 'Pegboard' : `the plugin ${whose}`}. A migration may only change what migrations of its own plugin created: remove that statement`,
      );
    },
    record(now) {
      database.prepare('delete from plugin_objects where plugin = ?').run(plugin);
      const insert = database.prepare('insert into plugin_objects (object, plugin) values (?, ?)');
      for (const [key, object] of now) if (!before.has(key) || isOwn(object)) insert.run(key, plugin);
    },
  };
}

const keyOf = ({ type, name }: Pick<SchemaObject, 'type' | 'name'>): string => `${type} ${name}`;

function schemaOf(database: DatabaseSync): Schema {
  const rows = database
    .prepare(
      `select type, name, tbl_name as "table", sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\'`,
    )
    .all() as unknown as readonly SchemaObject[];
  return new Map(rows.map((object) => [keyOf(object), object]));
}

/** The objects of the host's own migrations, and of its records of plugins. */
function hostSchema(): Schema {
  const database = new DatabaseSync(':memory:');
  try {
    for (const script of sqliteMigrations.scripts) database.exec(script);
    database.exec('create table plugin_versions (id); create table plugin_objects (id)');
    return schemaOf(database);
  } finally {
    database.close();
  }
}
