import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** In SQL: a text without secrets. */
export const redactFunction = 'pegboard_redact';

/** Compiled statements that are kept; the longest unused go first. */
const cachedStatements = 200;

/**
 * What Kysely's SqliteDialect needs of a database, over Node's own. Transactions take the write lock when they begin:
 * one that reads first and writes later would fail at once when another process wrote in between, without waiting.
 * `explain` turns what SQLite threw into what is thrown, `redact` the texts among the parameters.
 */
export function toKyselyDatabase(
  raw: DatabaseSync,
  {
    explain,
    redact,
  }: { readonly explain: (cause: unknown) => unknown; readonly redact: (text: string) => string },
): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
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
      const statement =
        known ??
        toStatement(
          explained(() => raw.prepare(sql === 'begin' ? 'begin immediate' : sql)),
          explained,
          redact,
        );
      if (known) statements.delete(sql);
      else if (statements.size >= cachedStatements) statements.delete(statements.keys().next().value!);
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
  // Whatever it does, its result names the row that was inserted last, also by an index of texts: their own tables
  // have rows with numbers that JavaScript can't hold otherwise, and after one of them every statement would throw.
  if (!reader) statement.setReadBigInts(true);
  return {
    reader,
    all: (parameters) => explained(() => statement.all(...values(parameters))),
    run: (parameters) => explained(() => statement.run(...values(parameters))),
    iterate: (parameters) => explained(() => statement.iterate(...values(parameters))),
  };
}
