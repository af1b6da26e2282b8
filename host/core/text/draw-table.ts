/** The cells of a table, as text. */
export interface TableCells {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly align: readonly ('left' | 'center' | 'right' | null)[];
}

/** Draws a table as monospaced text. Undefined when a line would have more than `maxWidth` characters. */
export function drawTable({ header, rows, align }: TableCells, maxWidth: number): string | undefined {
  const cells = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ''))));
  if (widths.reduce((sum, each) => sum + each + 3, -3) > maxWidth) return undefined;
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => {
        const space = ' '.repeat(Math.max(0, widths[column]! - width(text)));
        return align[column] === 'right' ? space + text : text + space;
      })
      .join(' | ')
      .trimEnd();
  const rule = widths.map((each) => '-'.repeat(each)).join('-+-');
  const [first, ...rest] = cells;
  return [line(first!), rule, ...rest.map(line)].join('\n');
}

const width = (text: string): number => Array.from(text).length;
