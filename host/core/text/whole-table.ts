/** The parts of marked's table token that are needed here. */
interface Table {
  readonly raw: string;
  readonly header: readonly unknown[];
}

/**
 * The table at the beginning of `source`, as parsed by marked, with its whole content. Markdown drops cells beyond the
 * header's, which an unescaped `|` in a cell creates. Here they are part of the row's last cell.
 */
export function readWholeTable<T extends Table>(
  source: string,
  read: (source: string) => T | undefined,
): T | undefined {
  const table = read(source);
  if (!table) return undefined;
  const { raw, header } = table;
  const lines = raw.split('\n');
  const whole = lines.map((line) => withoutExcess(line, header.length)).join('\n');
  const again = whole === raw ? table : read(whole);
  return again && { ...again, raw };
}

function withoutExcess(line: string, columns: number): string {
  const cells = cellsIn(line);
  if (cells.length <= columns) return line;
  const last = cells.slice(columns - 1).filter((cell) => cell !== '');
  return `| ${[...cells.slice(0, columns - 1), last.join(' \\| ')].join(' | ')} |`;
}

/** A `|` after an odd number of backslashes is not a separator. */
const cell = /(?:\\.|[^\\|]|\\$)*/gsy;

/** Splits a line like marked. */
function cellsIn(line: string): string[] {
  const cells = [];
  for (let at = 0; at <= line.length; at = cell.lastIndex + 1) {
    cell.lastIndex = at;
    cells.push(cell.exec(line)![0].trim());
  }
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}
