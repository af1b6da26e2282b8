import { isMet, type Target, type Row, type Section } from './section.ts';

const columns = ['', 'direct', 'Pegboard', 'unit', 'ratio', 'target', ''] as const;

/** An aligned table for the terminal. */
export function toText({ title }: Section, rows: readonly Row[]): string {
  const lines = [columns, ...rows.map(cells)];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const toLine = (line: readonly string[]): string =>
    line
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd();
  return [title, ...lines.map((line) => `  ${toLine(line)}`)].join('\n');
}

/** The same table for docs/benchmarks.md. */
export function toMarkdown({ title, about }: Section, rows: readonly Row[]): string {
  const rule = columns.map((_, column) => (isNumber(column) ? '--:' : '---'));
  return [
    `## ${title}`,
    '',
    about,
    '',
    ...[columns, rule, ...rows.map(cells)].map((line) => `| ${line.join(' | ')} |`),
    '',
  ].join('\n');
}

const isNumber = (column: number): boolean => [1, 2, 4].includes(column);

function cells(row: Row): readonly string[] {
  const { what, unit, direct, pegboard, target } = row;
  return [
    what,
    direct === undefined ? '' : figure(direct),
    figure(pegboard),
    unit,
    direct === undefined ? '' : `${figure(pegboard / direct)}×`,
    target ? targetText(target, unit) : '',
    target ? (isMet(row, target) ? 'ok' : 'misses') : '',
  ];
}

function targetText(target: Target, unit: string): string {
  const limit = target.atMost === undefined ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
  if (target.of === 'ratio') return `${limit}×`;
  return target.of === 'value' ? `${limit} ${unit}` : `${limit} ${unit} more`;
}

/** Three significant digits. */
function figure(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(Math.abs(value) >= 1 ? 2 : 3);
}
