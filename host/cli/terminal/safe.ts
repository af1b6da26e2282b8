import { withoutEscapeSequences } from '../../core/foreign/escape-sequences.ts';
import { shownLine, shownText } from '../../core/foreign/shown-text.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';
import { betweenOwnColours } from './own-colours.ts';

/** A line of our own with our colours: colours of others and other invisible characters in it are spelled out. */
export const shownBetweenColours = (line: string): string => betweenOwnColours(line, shownText);

/** Running text of a model or a program, without colours. */
export const withoutEscapes = (text: string): string => visibleText(text.replaceAll('\r\n', '\n'));

/** A message that may quote anything: what could not be seen in it is spelled out. */
export const shownMessage = (text: string): string => shownText(text.replaceAll('\r\n', '\n'));

/** Foreign text on one line, without colours. */
export const oneLine = (text: string): string => shownLine(withoutEscapeSequences(text));
