import { stripVTControlCharacters } from 'node:util';
import { ownReset } from './own-colours.ts';

const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const invisible = /[\p{M}\p{Cf}\p{Cc}]/u;
const plain = /^[\x20-\x7e]*$/;

/** Columns that the text takes on a terminal; colours take none. */
export function widthOf(text: string): number {
  const visible = stripVTControlCharacters(text);
  if (plain.test(visible)) return visible.length;
  let width = 0;
  for (const character of visible) width += columnsOf(character);
  return width;
}

/** At most `columns` wide, with an ellipsis where something is missing. The text must hold no colours. */
export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns < 1 ? '' : `${kept.trimEnd()}…`;
}

/** At most `columns` wide, with an ellipsis where something is missing. The text may hold colours. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const [piece] of text.matchAll(/\x1b\[[\d;:]*m|[^]/gu)) {
    const columnsOfPiece = piece.startsWith('\x1b') ? 0 : columnsOf(piece);
    if (width + columnsOfPiece > columns - 1) break;
    kept += piece;
    width += columnsOfPiece;
  }
  const reset = text.includes('\x1b') ? ownReset : '';
  return columns < 1 ? '' : `${kept}${reset}…`;
}

/** Lines of at most `columns`, broken between words where that is possible. The text must hold no colours. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((paragraph) => wrapLine(paragraph, Math.max(10, columns)));
}

function wrapLine(paragraph: string, columns: number): string[] {
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const word of paragraph.split(' ')) {
    const more = widthOf(word);
    if (line !== '' && width + 1 + more > columns) {
      lines.push(line);
      [line, width] = [word, more];
    } else if (line === '') [line, width] = [word, more];
    else [line, width] = [`${line} ${word}`, width + 1 + more];
  }
  return [...lines, line];
}

/** Of one character. */
export function columnsOf(character: string): number {
  if (invisible.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
