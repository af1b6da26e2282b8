import { nearest } from 'pegboard/channels';
import type { Limits } from './config.ts';

/** A value as JSON has it: dates and numbers that don't fit are texts. */
export type Value = string | number | boolean | null | object;

export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
}

/** A value for a place in a statement; a number is text, with all digits that were written. */
export type Param = string | null | { readonly number: string };

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** There are more than the limit admits. */
  readonly cut: boolean;
}

export interface SqlDatabase {
  /** For people: "work.db", "Postgres". */
  name(): Promise<string>;
  /** One statement that reads. Whatever else it is, it changes nothing and fails. */
  read(statement: Statement, limits: Limits, signal: AbortSignal): Promise<Rows>;
  /** One statement, in a transaction of its own. */
  write(
    statement: Statement,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<Rows & { readonly changed?: number }>;
  tables(limits: Limits, signal: AbortSignal): Promise<Rows>;
  columns(table: string, limits: Limits, signal: AbortSignal): Promise<Rows>;
}

/** A sentence to add where `table` isn't there: the names that are near it, or all of few. Empty where there is nothing to say. */
export function didYouMean(table: string, { rows }: Rows): string {
  const names = rows.map(([name]) => name).filter((name) => typeof name === 'string');
  const near = nearest(table, names, 3);
  if (near.length > 0) return ` Did you mean ${near.join(' or ')}?`;
  if (names.length === 0) return ' There are no tables.';
  return names.length > fewNames ? '' : ` There is ${names.join(', ')}.`;
}

const fewNames = 20;

/** As SQL wants a name. */
export const quoteName = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
