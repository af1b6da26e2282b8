import { callOf, callsOf, isObject } from '../call-shape.ts';
import { bareName, matchAt, skipSpace, type CallFormat, type FoundCall, type Tools } from '../format.ts';
import { readJson, type JsonValue } from '../lenient-json.ts';

const opening = /<\|tools_prefix\|>/;

/** `<|tools_prefix|>[{"read_file": {"path": "a"}}]<|tools_suffix|>`: each name is the key of its arguments. */
export const apertus: CallFormat = {
  opening,
  unmistakable: true,
  read(text, at, tools) {
    const from = skipSpace(text, at + matchAt(opening, text, at)![0].length);
    const read = readJson(text, from);
    if (!read || read === 'cut') return undefined;
    const calls = [read.value].flat().map((item) => callIn({ ...read, value: item }, tools));
    if (calls.length === 0 || calls.includes(undefined)) return undefined;
    const closed = matchAt(/\s*<\|tools_suffix\|>/, text, read.end);
    return { calls: calls as FoundCall[], end: closed ? read.end + closed[0].length : read.end };
  },
};

function callIn(item: JsonValue, tools: Tools): FoundCall | undefined {
  if (!isObject(item.value)) return undefined;
  const [entry, ...others] = Object.entries(item.value);
  if (!entry || others.length > 0) return callsOf(item, tools, true)?.[0];
  return callOf(bareName(entry[0]), { ...item, value: entry[1] });
}
