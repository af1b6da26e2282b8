import { readMap } from './collection.ts';
import { Cursor, unsure } from './cursor.ts';

/** Beyond these, and beyond lone surrogates, the rules for characters are js-yaml's to know. */
const unusual = /[^\n\u0020-\u007E\u00A0-\uFFFD]|\uFEFF/;
/** Nobody nests so deep by hand. */
const maxDepth = 16;

/**
 * A block map of plain, quoted, literal and folded scalars, lists, and `[…]` and `{…}` on one line, which is what
 * nearly all front matter is made of; undefined for any other text. What it reads is exactly what js-yaml reads, three
 * times faster and with a tenth of the garbage, because nothing is kept but the values.
 */
export function readPlainYaml(source: string): Readonly<Record<string, unknown>> | undefined {
  const text = source.includes('\r') ? source.replaceAll('\r\n', '\n') : source;
  if (unusual.test(text) || !text.isWellFormed() || text.includes('__proto__')) return undefined;
  const cursor = new Cursor(text);
  cursor.goTo(0);
  if (cursor.indent !== 0) return undefined;
  const value = readMap(cursor, 0, maxDepth);
  const isWhole = value !== unsure && cursor.at === text.length;
  return isWhole ? (value as Readonly<Record<string, unknown>>) : undefined;
}
