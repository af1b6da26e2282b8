import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** Compiled statements that are kept; the longest unused go first. */
const cachedStatements = 200;

/**
 * What Kysely's SqliteDialect needs of a database, over Node's own. Transactions take the write lock when they begin:
 * one that reads first and writes later would fail at once when another process wrote in between, without waiting.
 * `explain` turns what SQLite threw into what is thrown.
 */
export function toKyselyDatabase(raw: DatabaseSync, explain: (cause: unknown) => unknown): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  const explained = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw explain(cause);
    }
  };
  return {
    prepare(sql) {
      const known = statements.get(sql);
      const statement =
        known ??
        toStatement(
          explained(() => raw.prepare(sql === 'begin' ? 'begin immediate' : sql)),
          explained,
        );
      if (known) statements.delete(sql);
      else if (statements.size >= cachedStatements) statements.delete(statements.keys().next().value!);
      statements.set(sql, statement);
      return statement;
    },
    close: () => raw.close(),
  };
}

function toStatement(statement: StatementSync, explained: <T>(work: () => T) => T): SqliteStatement {
  const values = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => explained(() => statement.all(...values(parameters))),
    run: (parameters) => explained(() => statement.run(...values(parameters))),
    iterate: (parameters) => explained(() => statement.iterate(...values(parameters))),
  };
}
