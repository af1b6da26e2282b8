import { randomInt } from 'node:crypto';
import { styleText } from 'node:util';

/**
 * The first parameters of every colour that we write, until it goes to the terminal. No text from outside can know them,
 * so its colours are never taken for ours. Numbers of four digits, as programs expect them that measure such a text.
 */
const mark = `\x1b[${Array.from({ length: 4 }, () => randomInt(1000, 10_000)).join(';')};`;
const own = new RegExp(`(\\x1b\\[${mark.slice(2)}[\\d;]*m)`);
const openers = /[\x1b\x9b]/g;

const marked = (text: string): string => text.replaceAll('\x1b[', mark);

/** Ends all colours. */
export const ownReset = marked('\x1b[0m');

/** The text in this format, if any, which `toTerminal` writes. Colours that came from outside are spelled out. */
export function inOwnColours(format: Parameters<typeof styleText>[0] | undefined, text: string): string {
  const plain = toTerminal(betweenOwnColours(text, spellOpeners));
  return marked(format === undefined ? plain : styleText(format, plain, { validateStream: false }));
}

/** Changes what lies between our own colours. */
export function betweenOwnColours(text: string, change: (part: string) => string): string {
  if (!text.includes(mark)) return change(text);
  const parts = text.split(own);
  return parts.map((part, at) => (at % 2 === 1 ? part : change(part))).join('');
}

/** With our own colours as a terminal understands them. */
export const toTerminal = (text: string): string =>
  text.includes(mark) ? text.replaceAll(mark, '\x1b[') : text;

const spellOpeners = (text: string): string =>
  text.replace(openers, (opener) => `\\u{${opener.charCodeAt(0).toString(16)}}`);
