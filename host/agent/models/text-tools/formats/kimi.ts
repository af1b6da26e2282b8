import { callOf } from '../call-shape.ts';
import { bareName, matchAt, type CallFormat, type FoundCall } from '../format.ts';
import { readJson } from '../lenient-json.ts';
import { truncatedCall } from '../truncated.ts';

const section = /<\|tool_calls_section_begin\|>/;
const begin =
  /\s*<\|tool_call_begin\|>\s*([A-Za-z_][\w.-]*?)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*(?=\{)/;

/** `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`, Kimi K2's. */
export const kimi: CallFormat = {
  opening: /<\|tool_calls_section_begin\|>|<\|tool_call_begin\|>/,
  unmistakable: true,
  read(text, at) {
    const calls: FoundCall[] = [];
    let index = at + (matchAt(section, text, at)?.[0].length ?? 0);
    for (let opened = matchAt(begin, text, index); opened; opened = matchAt(begin, text, index)) {
      const name = bareName(opened[1]!);
      const from = index + opened[0].length;
      const read = readJson(text, from);
      if (!read || read === 'cut')
        return { calls: [...calls, truncatedCall(name, text.slice(from))], end: text.length };
      calls.push(callOf(name, read));
      index = read.end + (matchAt(/\s*<\|tool_call_end\|>/, text, read.end)?.[0].length ?? 0);
    }
    if (calls.length === 0) return undefined;
    return { calls, end: index + (matchAt(/\s*<\|tool_calls_section_end\|>/, text, index)?.[0].length ?? 0) };
  },
};
