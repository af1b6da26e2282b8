import { withoutEscapeSequences } from '../../core/foreign/escape-sequences.ts';
import { stripHidden } from '../../core/foreign/hidden-characters.ts';
import { shownLine, shownText } from '../../core/foreign/shown-text.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';

const colour = /(\x1b\[[\d;:]*m)/;

/** A program's output for a terminal: colours stay, all other control sequences are removed. */
export function safeForTerminal(text: string): string {
  return betweenColours(
    withoutEscapeSequences(text.replaceAll('\r\n', '\n'), { keepColours: true }),
    stripHidden,
  );
}

/** A line of our own with our colours: other invisible characters in it are spelled out. */
export const shownBetweenColours = (line: string): string => betweenColours(line, shownText);

/** Running text of a model or a program, without colours. */
export const withoutEscapes = (text: string): string => visibleText(text.replaceAll('\r\n', '\n'));

/** Foreign text on one line, without colours. */
export const oneLine = (text: string): string => shownLine(withoutEscapeSequences(text));

function betweenColours(text: string, change: (part: string) => string): string {
  if (!text.includes('\x1b')) return change(text);
  const parts = text.split(colour);
  return parts.map((part, at) => (at % 2 === 1 ? part : change(part))).join('');
}
