import { callOf } from '../call-shape.ts';
import { bareName, matchAt, skipSpace, type CallFormat, type FoundCall } from '../format.ts';
import { readJson } from '../lenient-json.ts';
import { truncatedCall } from '../truncated.ts';

const opening = /<start_function_call>\s*call:|<\|tool_call>\s*call:/;
const closing = /<end_function_call>|<tool_call\|>/;

/** FunctionGemma and Gemma 4: `call:name{key:<escape>text<escape>,n:3}`, with a token of its own for quotes. */
export const gemma: CallFormat = {
  opening,
  unmistakable: true,
  read(text, at) {
    const calls: FoundCall[] = [];
    let index = at;
    for (
      let opened = matchAt(opening, text, index);
      opened;
      opened = matchAt(opening, text, skipSpace(text, index))
    ) {
      const from = skipSpace(text, index) + opened[0].length;
      const named = matchAt(/\s*([A-Za-z_][\w.-]*)\s*(?=\{)/, text, from);
      if (!named) break;
      const name = bareName(named[1]!);
      const start = from + named[0].length;
      const closed = new RegExp(closing.source, 'g');
      closed.lastIndex = start;
      const found = closed.exec(text);
      const body = text.slice(start, found?.index ?? text.length);
      const json = withQuotes(body);
      const read = readJson(json, 0);
      if (!read || read === 'cut') return { calls: [...calls, truncatedCall(name, body)], end: text.length };
      const rest = found ? json.slice(read.end).trim() : '';
      calls.push(...(rest === '' ? [callOf(name, read)] : [truncatedCall(name, json)]));
      index = found ? closed.lastIndex : text.length;
    }
    return calls.length > 0 ? { calls, end: index } : undefined;
  },
};

const withQuotes = (body: string): string =>
  body.replaceAll(/(<escape>|<\|"\|>)([\s\S]*?)\1/g, (_, _token, value: string) => JSON.stringify(value));
