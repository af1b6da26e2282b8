import { callOf } from '../call-shape.ts';
import {
  bareName,
  matchAt,
  skipSpace,
  type CallFormat,
  type FoundCall,
  type ParsedCalls,
  type Tools,
} from '../format.ts';
import { readJson } from '../lenient-json.ts';
import { truncatedCall } from '../truncated.ts';
import { invokeTag } from './invoke-tag.ts';

/** Servers also print these tokens with plain bars and underscores. */
const token = (words: string): string => `<[｜|]${words.replaceAll(' ', '[▁_]')}[｜|]>`;
const section = new RegExp(token('tool calls begin'));
const begin = new RegExp(token('tool call begin'));
const separator = new RegExp(token('tool sep'));
const end = new RegExp(`\\s*${token('tool call end')}`);
const sectionEnd = new RegExp(
  `\\s*${token('tool calls end')}(?:\\s*${token('end of sentence').replaceAll('[▁_]of', '[▁_]of')})?`,
);

/** `<｜tool▁calls▁begin｜>…`: R1 and V3 with a type and a fence, V3.1 with name and arguments alone, Step 3 with tags. */
export const deepseek: CallFormat = {
  opening: new RegExp(`${section.source}|${begin.source}|function\\s*${separator.source}`),
  unmistakable: true,
  read(text, at, tools) {
    const calls: FoundCall[] = [];
    let index = at + (matchAt(section, text, at)?.[0].length ?? 0);
    for (;;) {
      const opened = matchAt(new RegExp(`\\s*${begin.source}`), text, index);
      // Servers omit the token of the first call.
      const bare = calls.length === 0 && matchAt(new RegExp(`function\\s*${separator.source}`), text, index);
      if (!opened && !bare) break;
      const from = index + (opened?.[0].length ?? 0);
      const step = readStep(text, from, tools);
      if (step) {
        calls.push(...step.calls);
        index = step.end + (matchAt(end, text, step.end)?.[0].length ?? 0);
        continue;
      }
      const head = matchAt(
        new RegExp(
          `(?:\\s*function\\s*${separator.source})?\\s*([A-Za-z_][\\w.-]*)\\s*(?:${separator.source})?\\s*(?:\`\`\`\\w*)?\\s*(?=\\{)`,
        ),
        text,
        from,
      );
      if (!head) {
        if (calls.length === 0) return undefined;
        return { calls: [...calls, truncatedCall('unnamed', text.slice(from))], end: text.length };
      }
      const name = bareName(head[1]!);
      const argumentsAt = from + head[0].length;
      const read = readJson(text, argumentsAt);
      if (!read || read === 'cut')
        return { calls: [...calls, truncatedCall(name, text.slice(argumentsAt))], end: text.length };
      calls.push(callOf(name, read));
      index = read.end + (matchAt(/\s*```/, text, read.end)?.[0].length ?? 0);
      index += matchAt(end, text, index)?.[0].length ?? 0;
    }
    if (calls.length === 0) return undefined;
    return { calls, end: index + (matchAt(sectionEnd, text, index)?.[0].length ?? 0) };
  },
};

/** `function<｜tool_sep｜><steptml:invoke name="f">…`, one call. */
function readStep(text: string, from: number, tools: Tools): ParsedCalls | undefined {
  const head = matchAt(new RegExp(`\\s*function\\s*${separator.source}`), text, from)?.[0].length ?? 0;
  const at = skipSpace(text, from + head);
  return matchAt(invokeTag.opening, text, at) && invokeTag.read(text, at, tools);
}
