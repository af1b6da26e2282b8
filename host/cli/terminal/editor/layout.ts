import type { CursorPosition } from '../live-region.ts';
import { columnsOf, widthOf } from '../width.ts';
import type { LineBuffer } from './draft.ts';

/** How a draft is laid out on the screen after its prompt. */
export interface BufferView {
  readonly lines: readonly string[];
  readonly cursor: CursorPosition;
}

/** Rows of at most `width` columns; of more than `height` rows, those around the cursor. */
export function layOutBuffer(
  { text, cursor }: LineBuffer,
  prompt: string,
  width: number,
  height: number,
): BufferView {
  const indent = widthOf(prompt);
  const room = Math.max(1, width - indent);
  const rows: string[] = [''];
  let used = 0;
  let place: CursorPosition = { row: 0, column: indent };
  const startRow = (): void => {
    rows.push('');
    used = 0;
  };
  let at = 0;
  for (const character of text) {
    if (at === cursor) place = { row: rows.length - 1, column: indent + used };
    at += character.length;
    if (character === '\n') {
      startRow();
      continue;
    }
    const visible = character === '\t' ? '    ' : character;
    const columns = character === '\t' ? 4 : columnsOf(character);
    if (used + columns > room) startRow();
    rows[rows.length - 1] += visible;
    used += columns;
  }
  if (cursor >= text.length) {
    if (used >= room) startRow();
    place = { row: rows.length - 1, column: indent + used };
  }
  const first = Math.max(0, Math.min(place.row - Math.floor(height / 2), rows.length - height));
  const lines = rows.map((row, nth) => (nth === 0 ? prompt : ' '.repeat(indent)) + row);
  return {
    lines: lines.slice(first, first + height),
    cursor: { row: place.row - first, column: place.column },
  };
}
