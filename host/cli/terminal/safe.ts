import { withoutEscapeSequences } from '../../core/foreign/escape-sequences.ts';
import { shownLine, shownText } from '../../core/foreign/shown-text.ts';
import { withCommas } from '../../core/text/with-commas.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';
import { betweenOwnColours } from './own-colours.ts';

/** A line of our own with our colours: colours of others and other invisible characters in it are spelled out. */
export const shownBetweenColours = (line: string): string => betweenOwnColours(line, shownText);

/** Running text of a model or a program, without colours. */
export const withoutEscapes = (text: string): string => visibleText(text.replaceAll('\r\n', '\n'));

/** A message that may quote anything: what could not be seen in it is spelled out, and of a long one the middle counted. */
export const shownMessage = (text: string): string => shownText(cutMessage(text).replaceAll('\r\n', '\n'));

/** Long enough for what a program says, and short enough to find its beginning and end. */
const maxMessageLength = 4000;

/** The message, or its beginning and end, with how much is between them. Idempotent. */
export function cutMessage(text: string): string {
  if (text.length <= maxMessageLength) return text;
  const end = 1000;
  const start = maxMessageLength - end - 100;
  const left = withCommas(text.length - start - end);
  return `${text.slice(0, start).toWellFormed()} … ${left} more characters … ${text.slice(-end).toWellFormed()}`;
}

/** Foreign text on one line, without colours. */
export const oneLine = (text: string): string => shownLine(withoutEscapeSequences(text));
