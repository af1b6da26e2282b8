import { readElements } from '../elements.ts';
import { bareName, matchAt, type CallFormat } from '../format.ts';
import { callWith } from '../typed-value.ts';

const opening = /(?<=(?:^|\n)[ \t]*)<[A-Za-z_][\w.-]*>(?=\s*<)/;

/**
 * `<read_file><path>a</path></read_file>`, as Cline and Roo prompt models. Only a tool's own name with nothing but its
 * own parameters counts: anything else is other XML.
 */
export const namedElement: CallFormat = {
  opening,
  unmistakable: false,
  read(text, at, tools) {
    const opened = matchAt(opening, text, at);
    if (!opened) return undefined;
    const written = opened[0].slice(1, -1);
    const name = bareName(written);
    const properties = tools.has(name) ? tools.properties(name) : undefined;
    if (!properties) return undefined;
    const closing = `</${written}>`;
    const from = at + opened[0].length;
    const limit = indexOfClosing(text, closing, from);
    const elements = limit < 0 ? undefined : readElements(text, from, limit);
    if (!elements || elements.length === 0 || elements.some(({ key }) => !(key in properties)))
      return undefined;
    return { calls: [callWith(name, elements, tools)], end: limit + closing.length };
  },
};

/** Tags of the last text with the index after which they are not closed: searching again from each opening is quadratic. */
let unclosed = { text: '', from: new Map<string, number>() };

function indexOfClosing(text: string, closing: string, from: number): number {
  if (unclosed.text !== text) unclosed = { text, from: new Map() };
  if (from >= (unclosed.from.get(closing) ?? Infinity)) return -1;
  const index = text.indexOf(closing, from);
  if (index < 0) unclosed.from.set(closing, from);
  return index;
}
