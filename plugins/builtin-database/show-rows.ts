import { markUntrusted, memberJson, textResult, type ToolResult } from 'pegboard';
import type { Rows } from './database.ts';

/** As a Markdown table, and as data. The content of a database is untrusted. */
export function showRows({ columns, rows, cut }: Rows, name: string, note = ''): ToolResult {
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
  const result = { ...textResult(text), structured: { columns, rows, cut } };
  return markUntrusted(result, { kind: 'file', what: name });
}
