import { explainPostgresError } from '../database/postgres/errors.ts';
import type { PostgresDatabase } from '../database/postgres/database.ts';

/**
 * Runs one statement, and returns its rows. Unlike the statements of other stores it redacts nothing: a token must stay what
 * it is, and an answer of a client has to arrive as it was given. Throws PEG_DATABASE.
 */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export const queryOf =
  (database: PostgresDatabase): Query =>
  async <Row>(text: string, values: readonly unknown[] = []) => {
    try {
      const pool = await database.pool();
      return (await pool.query(text, [...values])).rows as readonly Row[];
    } catch (cause) {
      throw explainPostgresError(database.name, cause);
    }
  };
