import { bareName, matchAt, skipSpace, type CallFormat } from '../format.ts';
import { readArguments } from './json-body.ts';
import { readParameterTags } from './parameter-tags.ts';

const opening =
  /<function=["']?[A-Za-z_][\w.-]*["']?\s*(?:>|(?=\{))|<function\s+name=["']?[A-Za-z_][\w.-]*["']?\s*>(?=\s*(?:\{|```|<(?:param|arg)|<\/function>|$))/i;

/**
 * `<function=name>{json}</function>` as Llama writes it, and Qwen-coder's `<function=name><parameter=key>value` with
 * plain values.
 */
export const functionTag: CallFormat = {
  opening,
  unmistakable: true,
  read(text, at, tools) {
    const opened = matchAt(opening, text, at);
    if (!opened) return undefined;
    const name = bareName(/(?:=|name=)["']?([\w.-]+)/i.exec(opened[0])![1]!);
    const from = skipSpace(text, at + opened[0].length);
    const read = readArguments(name, text, from);
    if (read) return { ...read, end: afterClosing(text, read.end) };
    if (text[from] === '{') return undefined;
    const { call, end } = readParameterTags(text, from, name, tools);
    return { calls: [call], end: afterClosing(text, end) };
  },
};

function afterClosing(text: string, from: number): number {
  // Qwen-coder sometimes omits the opening tag around it, but not the closing one.
  const closed = matchAt(/\s*(?:<\/?function>|\)?<\/function>)(?:\s*<\/tool_call>)?/i, text, from);
  return closed ? from + closed[0].length : from;
}
