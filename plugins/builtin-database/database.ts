import { nearest } from 'pegboard/channels';
import type { Limits } from './config.ts';

/** A JSON value. Dates, and numbers that JSON can't represent, are strings. */
export type Value = string | number | boolean | null | object;

export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
}

/** A parameter of a statement. A number is passed as text with all its digits. */
export type Param = string | null | { readonly number: string };

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** There are more rows than the limit allows. */
  readonly cut: boolean;
}

export interface SqlDatabase {
  /** For people: "work.db", "Postgres". */
  name(): Promise<string>;
  /** Runs one statement read-only. Any other statement fails without effect. */
  read(statement: Statement, limits: Limits, signal: AbortSignal): Promise<Rows>;
  /** Runs one statement in its own transaction. */
  write(
    statement: Statement,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<Rows & { readonly changed?: number }>;
  tables(limits: Limits, signal: AbortSignal): Promise<Rows>;
  columns(table: string, limits: Limits, signal: AbortSignal): Promise<Rows>;
}

/** A hint for a missing `table`: similar names, or all names if there are few. Empty if there is nothing to suggest. */
export function didYouMean(table: string, { rows }: Rows): string {
  const names = rows.map(([name]) => name).filter((name) => typeof name === 'string');
  const near = nearest(table, names, 3);
  if (near.length > 0) return ` Did you mean ${near.join(' or ')}?`;
  if (names.length === 0) return ' There are no tables.';
  return names.length > fewNames ? '' : ` The tables are ${names.join(', ')}.`;
}

const fewNames = 20;

/** A name quoted for SQL. */
export const quoteName = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
