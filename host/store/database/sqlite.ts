import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** Name of the SQL function that redacts a text. */
export const redactFunction = 'pegboard_redact';

/** Maximum number of cached statements; the least recently used are dropped first. */
const cachedStatements = 200;

/**
 * Implements the database that Kysely's SqliteDialect needs, on Node's own. Transactions take the write lock when they
 * begin: one that reads first and writes later would fail without waiting when another process wrote in between.
 * `explain` converts SQLite's errors, `redact` is applied to texts among the parameters.
 */
export function toKyselyDatabase(
  raw: DatabaseSync,
  {
    explain,
    redact,
  }: { readonly explain: (cause: unknown) => unknown; readonly redact: (text: string) => string },
): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: cachedStatements });
  raw.function(redactFunction, (text) => (typeof text === 'string' ? redact(text) : text));
  const explained = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw explain(cause);
    }
  };
  return {
    prepare(sql) {
      // A full disk has rolled back already. The failing rollback must not hide the original error.
      if (sql === 'rollback' && !raw.isTransaction) return nothingToDo;
      const known = statements.get(sql);
      if (known) return known;
      const prepared = explained(() => raw.prepare(sql === 'begin' ? 'begin immediate' : sql));
      const statement = toStatement(prepared, explained, redact);
      statements.set(sql, statement);
      return statement;
    },
    close: () => raw.close(),
  };
}

const nothingToDo: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

function toStatement(
  statement: StatementSync,
  explained: <T>(work: () => T) => T,
  redact: (text: string) => string,
): SqliteStatement {
  const values = (parameters: readonly unknown[]): SQLInputValue[] =>
    parameters.map((one) => (typeof one === 'string' ? redact(one) : one) as SQLInputValue);
  const reader = statement.columns().length > 0;
  // Each result has the id of the last inserted row, also of a full-text index. Such ids can exceed JavaScript's safe
  // integers, and without bigints every statement after one would throw.
  if (!reader) statement.setReadBigInts(true);
  return {
    reader,
    all: (parameters) => explained(() => statement.all(...values(parameters))),
    run: (parameters) => explained(() => statement.run(...values(parameters))),
    iterate: (parameters) => explained(() => statement.iterate(...values(parameters))),
  };
}
