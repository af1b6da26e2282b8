import { constants, type DatabaseSync } from 'node:sqlite';

/** What a script of a plugin may change. */
export interface ScriptLimits {
  /** The number of the migration, for messages. */
  readonly number: number;
  /** Called with each table that a statement would write to. Throws to refuse that. */
  readonly checkRows: (table: string) => void;
  /** Whether the table is the plugin's or new. */
  readonly isFree: (table: string) => boolean;
}

/**
 * Runs a script that creates, changes and fills tables, within a transaction. Throws an error that names a statement
 * which does anything else; the caller rolls back. Node before 24.10 can't authorize statements; there, their effects
 * are compared.
 */
export function runScript(database: DatabaseSync, script: string, limits: ScriptLimits): void {
  const before = stateOf(database, limits);
  const indexed = tablesByIndex(database);
  let refusal: unknown;
  database.setAuthorizer?.((action, name, value, schema) => {
    try {
      if (changesRows.has(action) && schema === 'main') limits.checkRows(name!);
      const table = action === constants.SQLITE_REINDEX ? indexed.get(name!.toLowerCase()) : undefined;
      if (table !== undefined) limits.checkRows(table);
      if (ends.has(action)) throw endsTransaction(limits.number);
      const isPragma = action === constants.SQLITE_PRAGMA;
      if (isPragma ? !isFreePragma(name!, value) : !free.has(action))
        throw refused(limits.number, isPragma ? `PRAGMA ${name}` : statementOf(action));
      return constants.SQLITE_OK;
    } catch (cause) {
      refusal ??= cause;
      return constants.SQLITE_DENY;
    }
  });
  try {
    database.exec(script);
  } catch (cause) {
    throw refusal ?? cause;
  } finally {
    database.setAuthorizer?.(null);
  }
  if (!database.isTransaction) throw endsTransaction(limits.number);
  const after = stateOf(database, limits);
  for (const [what, value] of before)
    if (after.get(what) !== value) throw refused(limits.number, `a statement that changes ${what}`);
}

const endsTransaction = (number: number): Error =>
  new Error(
    `its migration ${number} has a statement like COMMIT, ROLLBACK or ATTACH, but all migrations run in one transaction of this database. Remove that statement`,
  );

const refused = (number: number, statement: string): Error =>
  new Error(
    `its migration ${number} has ${statement}, but a migration may only create, change and fill tables of its plugin. Remove that statement`,
  );

const changesRows: ReadonlySet<number> = new Set([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
]);

const ends: ReadonlySet<number> = new Set([
  constants.SQLITE_TRANSACTION,
  constants.SQLITE_ATTACH,
  constants.SQLITE_DETACH,
]);

/** Temporary tables are not among them: one with the name of a host's table would take its place. */
const free: ReadonlySet<number> = new Set([
  ...changesRows,
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
  constants.SQLITE_SAVEPOINT,
  constants.SQLITE_CREATE_TABLE,
  constants.SQLITE_CREATE_VTABLE,
  constants.SQLITE_CREATE_INDEX,
  constants.SQLITE_CREATE_TRIGGER,
  constants.SQLITE_CREATE_VIEW,
  constants.SQLITE_ALTER_TABLE,
  // Also of new indexes.
  constants.SQLITE_REINDEX,
  constants.SQLITE_DROP_TABLE,
  constants.SQLITE_DROP_VTABLE,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_TRIGGER,
  constants.SQLITE_DROP_VIEW,
]);

const statementOf = (action: number): string => {
  const named = Object.entries(constants).find(
    ([name, code]) => code === action && !name.startsWith('SQLITE_CHANGESET_'),
  );
  return named ? named[0].slice('SQLITE_'.length).replaceAll('_', ' ') : 'a statement of another kind';
};

/**
 * They only read, whatever their value; a new column needs `quick_check`. `defer_foreign_keys` ends with the
 * transaction, which checks the keys.
 */
const readOnlyPragmas: ReadonlySet<string> = new Set(
  `table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check quick_check
   defer_foreign_keys`.split(/\s+/),
);
/** They only read if they have no value. Virtual tables read the first two. */
const readOnlyWithoutValue: ReadonlySet<string> = new Set([
  'data_version',
  'page_size',
  'foreign_keys',
  'user_version',
]);

function isFreePragma(name: string, value: string | null): boolean {
  const lower = name.toLowerCase();
  return readOnlyPragmas.has(lower) || (value === null && readOnlyWithoutValue.has(lower));
}

/** Settings of the database as a whole or of the connection. */
const settings = [
  'user_version',
  'application_id',
  'auto_vacuum',
  'foreign_keys',
  'ignore_check_constraints',
  'legacy_alter_table',
  'recursive_triggers',
  'trusted_schema',
  'writable_schema',
];

/**
 * Settings and counters by their description. Includes the counters of `autoincrement`, which no statement may set
 * directly.
 */
function stateOf(database: DatabaseSync, { isFree }: ScriptLimits): ReadonlyMap<string, unknown> {
  const state = new Map<string, unknown>();
  for (const name of settings) {
    const row = database.prepare(`pragma ${name}`).get();
    state.set(`PRAGMA ${name}`, row && Object.values(row)[0]);
  }
  const has = (table: string): boolean =>
    database.prepare('select 1 from main.sqlite_schema where name = ?').get(table) !== undefined;
  const counters = has('sqlite_sequence')
    ? database.prepare('select name, seq from main.sqlite_sequence').all()
    : [];
  for (const { name, seq } of counters)
    if (!isFree(String(name))) state.set(`the row numbers of ${String(name)}`, seq);
  return state;
}

/** Including SQLite's internal indexes. */
function tablesByIndex(database: DatabaseSync): ReadonlyMap<string, string> {
  const rows = database.prepare(`select name, tbl_name from main.sqlite_schema where type = 'index'`).all();
  return new Map(rows.map((row) => [String(row['name']).toLowerCase(), String(row['tbl_name'])]));
}
