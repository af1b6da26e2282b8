import { callOf } from '../call-shape.ts';
import { truncatedCall } from '../truncated.ts';
import { bareName, matchAt, skipSpace, type CallFormat, type FoundCall } from '../format.ts';
import { readJson } from '../lenient-json.ts';

const head = /\s*<\|recipient\|>\s*([A-Za-z_][\w.-]*)\s*<\|content\|>\s*(?=\{)/;
const opening = /(?:<\|from\|>\s*assistant\s*)?<\|recipient\|>(?!\s*all\b)/;
const arrow = />>>\s*(?!all\b)([A-Za-z_][\w.-]*)[ \t]*\r?\n\s*(?=\{)/;
const stop = /\s*<\|(?:stop|eot_id|im_end)\|>/;

/** Functionary 2: `<|recipient|>read_file\n<|content|>{…}<|stop|>`, after `<|from|>assistant` or without. */
export const functionary: CallFormat = {
  opening,
  unmistakable: true,
  read(text, at) {
    const from = matchAt(/\s*<\|from\|>\s*assistant(?=\s*<\|recipient\|>)/, text, at)?.[0].length ?? 0;
    return readAll(text, at + from, head);
  },
};

/** Functionary 3: `>>>read_file\n{…}`. */
export const functionaryArrow: CallFormat = {
  opening: new RegExp(`(?<=(?:^|\\n)[ \\t]*)(?:${arrow.source})`),
  unmistakable: false,
  read: (text, at) => readAll(text, at, arrow),
};

/** `read_file\n{…}` and `read_file{…}` as the whole text: what remains of both, and of Mistral's format, when servers strip tokens. */
export const namedJson: CallFormat = {
  opening: /(?<=^\s*)[A-Za-z_][\w.-]*\s*(?=\{)/,
  unmistakable: false,
  read(text, at, tools) {
    if (text.slice(0, at).trim() !== '') return undefined;
    const opened = matchAt(/([A-Za-z_][\w.-]*)\s*(?=\{)/, text, at);
    if (!opened || !tools.has(bareName(opened[1]!))) return undefined;
    const reading = readAll(text, at, /\s*([A-Za-z_][\w.-]*)\s*(?=\{)/);
    return reading && text.slice(reading.end).trim() === '' ? reading : undefined;
  },
};

function readAll(
  text: string,
  at: number,
  pattern: RegExp,
): { readonly calls: readonly FoundCall[]; readonly end: number } | undefined {
  const calls: FoundCall[] = [];
  let index = at;
  for (let opened = matchAt(pattern, text, index); opened;) {
    const name = bareName(opened[1]!);
    const from = index + opened[0].length;
    const read = readJson(text, from);
    if (!read || read === 'cut')
      return { calls: [...calls, truncatedCall(name, text.slice(from))], end: text.length };
    calls.push(callOf(name, read));
    index = read.end + (matchAt(stop, text, read.end)?.[0].length ?? 0);
    const next = skipSpace(text, index);
    opened = matchAt(pattern, text, next);
    if (opened) index = next;
  }
  return calls.length > 0 ? { calls, end: index } : undefined;
}
