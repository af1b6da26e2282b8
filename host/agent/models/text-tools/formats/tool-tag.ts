import { attributes } from '../attributes.ts';
import { callOf, isObject } from '../call-shape.ts';
import { unreadableCall } from '../truncated.ts';
import { callOfElements, readElements } from '../elements.ts';
import { bareName, matchAt, skipSpace, type CallFormat, type ParsedCalls, type Tools } from '../format.ts';
import { parseLenient } from '../lenient-json.ts';
import { callWith } from '../typed-value.ts';
import { readJsonCalls } from './json-body.ts';
import { readAttributed } from './tool-call-tag.ts';

const tag = String.raw`(?:tool|function|action)`;
const opening = new RegExp(`(?<=(?:^|\\n)[ \\t]*)<${tag}${attributes}\\s*/?>`, 'i');
const closing = new RegExp(`</${tag}>`, 'i');
const input = /\s*<(tool_input|args|arguments|parameters|input)>([\s\S]*?)<\/\1>/i;

/**
 * `<tool>` with JSON, elements or attributes, and LangChain's `<tool>name</tool><tool_input>…</tool_input>`. Such tags
 * occur in any XML, so only existing tools count.
 */
export const toolTag: CallFormat = {
  opening,
  unmistakable: false,
  read(text, at, tools) {
    const opened = matchAt(opening, text, at);
    if (!opened) return undefined;
    const from = at + opened[0].length;
    const attributed = readAttributed(text, opened[0], from, tools, closing);
    if (attributed) return attributed;
    const start = skipSpace(text, from);
    const closed = closing.exec(text.slice(start));
    if (!closed) return undefined;
    const limit = start + closed.index;
    const end = limit + closed[0].length;
    const json = readJsonCalls(text, start, limit, tools);
    if (json) return { ...json, end: text.slice(json.end, limit).trim() === '' ? end : json.end };
    const elements = readElements(text, start, limit);
    const call = elements && callOfElements(elements, tools);
    return call ? { calls: [call], end } : named(text, text.slice(start, limit), end, tools);
  },
};

function named(text: string, body: string, end: number, tools: Tools): ParsedCalls | undefined {
  const name = bareName(body);
  const said = matchAt(input, text, end);
  if (!said || !tools.has(name)) return undefined;
  const value = parseLenient(said[2]!.trim());
  if (value && isObject(value.value)) return { calls: [callOf(name, value)], end: end + said[0].length };
  const inner = readElements(said[2]!, 0, said[2]!.length);
  const [only, ...others] = Object.keys(tools.properties(name) ?? {});
  if (inner && inner.length > 0) return { calls: [callWith(name, inner, tools)], end: end + said[0].length };
  if (only === undefined || others.length > 0)
    return { calls: [{ ...unreadableCall(said[0]), name }], end: end + said[0].length };
  return { calls: [callWith(name, [{ key: only, text: said[2]! }], tools)], end: end + said[0].length };
}
