import { dialectOf } from 'pegboard';
import type { Kysely } from 'kysely';
import type { MemoryTables } from '../tables.ts';
import type { FullText } from './full-text.ts';
import { postgresFullText } from './postgres.ts';
import { sqliteFullText } from './sqlite.ts';

/** The full-text indexes of this database. */
export const fullTextOf = (database: Kysely<MemoryTables>): FullText =>
  dialectOf(database).kind === 'postgres' ? postgresFullText : sqliteFullText;
