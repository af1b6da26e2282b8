import type { Kysely } from 'kysely';

/** What the SQL of the two kinds of database has different words for. */
export interface SqlDialect {
  readonly kind: 'sqlite' | 'postgres';
  /** Compares a text with a pattern, without regard to the case of ASCII letters. */
  readonly like: 'like' | 'ilike';
  /** A column to compare with a text in lower case, without regard to the case of ASCII letters. */
  caseless(column: string): string;
  /** Runs `work` on this one connection so that its changes have reached the disk when they are confirmed. */
  durably<Result>(connection: Kysely<never>, work: () => Promise<Result>): Promise<Result>;
}

const sqlite: SqlDialect = {
  kind: 'sqlite',
  like: 'like',
  caseless: (column) => `${column} collate nocase`,
  async durably(connection, work) {
    const { sql } = await import('kysely');
    await sql`pragma synchronous = full`.execute(connection);
    try {
      return await work();
    } finally {
      await sql`pragma synchronous = normal`.execute(connection);
    }
  },
};

const postgres: SqlDialect = {
  kind: 'postgres',
  like: 'ilike',
  caseless: (column) => `lower(${column})`,
  async durably(connection, work) {
    const { sql } = await import('kysely');
    // Most servers have it on anyway.
    await sql`set synchronous_commit = on`.execute(connection);
    try {
      return await work();
    } finally {
      await sql`reset synchronous_commit`.execute(connection);
    }
  },
};

/** Marks the adapter of a Kysely, which its transactions share. */
export const postgresMark = Symbol.for('pegboard.postgres');

/** Also of a transaction. */
export const dialectOf = <Tables>(database: Kysely<Tables>): SqlDialect =>
  postgresMark in database.getExecutor().adapter ? postgres : sqlite;

/**
 * Runs `work` on one connection. What it has changed survives a power cut once its promise resolves, also where that
 * would otherwise be a moment later.
 */
export const durably = async <Tables, Result>(
  database: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<Result>,
): Promise<Result> =>
  await database
    .connection()
    .execute((connection) =>
      dialectOf(connection).durably(connection as unknown as Kysely<never>, () => work(connection)),
    );
