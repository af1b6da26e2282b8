import { writtenText } from 'pegboard';
import { defaultId } from './connections.ts';
import type { Param } from './database.ts';

export const connectionId = {
  type: 'string',
  minLength: 1,
  maxLength: 4_096,
  default: defaultId,
  description: 'As connect named it, or the path of an SQLite file.',
} as const;
export const table = { type: 'string', minLength: 1, maxLength: 200, description: 'Of a table.' } as const;
export const params = {
  type: 'array',
  maxItems: 100,
  items: { type: ['string', 'number', 'boolean', 'null'] },
  description: 'Values for ? (SQLite) or $1, $2 (Postgres) in the statement.',
} as const;
export const sql = {
  type: 'string',
  minLength: 1,
  maxLength: 100_000,
  description: 'One statement of SQL.',
} as const;
export const common = {
  category: 'database',
  tags: ['sql', 'sqlite', 'postgres', 'postgresql', 'table', 'rows'],
  timeout: 660,
  preservesNumbers: true,
};
export const reading = { ...common, annotations: { readOnlyHint: true } };
export const writing = {
  ...common,
  confirm: true,
  annotations: { readOnlyHint: false, destructiveHint: true },
};

/** Parameters of a statement, with numbers as they were written. */
export const toParams = (values: readonly (string | number | boolean | null)[]): Param[] =>
  values.map((value, at) => {
    if (typeof value === 'boolean') return { number: value ? '1' : '0' };
    return typeof value === 'number' ? { number: writtenText(values, at) } : value;
  });
