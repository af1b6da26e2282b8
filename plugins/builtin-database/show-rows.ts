import { markUntrusted, memberJson, textResult, type StructuredResult } from 'pegboard';
import type { Rows } from './database.ts';

/** Rows for programs: a list of values for each, in the order of the columns. */
export const rowsSchema = {
  type: 'object',
  required: ['columns', 'rows', 'cut'],
  properties: {
    columns: { type: 'array', items: { type: 'string' } },
    rows: { type: 'array', items: { type: 'array', items: {} } },
    cut: { type: 'boolean', description: 'true: there are more rows than the limit allows.' },
  },
} as const;

/** As a Markdown table, and as data. The content of a database is untrusted. */
export function showRows({ columns, rows, cut }: Rows, name: string, note = ''): StructuredResult<Rows> {
  const cell = (value: unknown, at: number, row: readonly unknown[]): string =>
    (typeof value === 'string' ? value : (memberJson(row, at) ?? 'null'))
      .replaceAll('|', '\\|')
      .replaceAll(/\s*\n\s*/g, ' ');
  const table =
    columns.length === 0
      ? []
      : [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`);
  const count = `${rows.length} row${rows.length === 1 ? '' : 's'}${cut ? ', and there are more: ask for fewer columns or rows' : ''}`;
  const text = [...table, note === '' ? count : note].join('\n');
  return markUntrusted(textResult(text, { columns, rows, cut }), { kind: 'file', what: name });
}
