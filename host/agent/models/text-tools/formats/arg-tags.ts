import { callOf } from '../call-shape.ts';
import { bareName, type FoundCall, type Tools } from '../format.ts';
import { callWith } from '../typed-value.ts';
import { cutOff } from '../cut-off.ts';
import { readJson } from '../lenient-json.ts';

/**
 * GLM, LongCat and Hunyuan, between tool_call tags: the name, then `<arg_key>k</arg_key><arg_value>v</arg_value>` pairs,
 * or JSON.
 */
export function readArgTags(
  text: string,
  from: number,
  limit: number,
  tools: Tools,
): { readonly calls: readonly FoundCall[]; readonly end: number } | undefined {
  const body = text.slice(from, limit);
  const named = /^\s*([A-Za-z_][\w.-]*)\s*(?:<tool_sep>\s*)?(?=<(?:longcat_)?arg_key>|$|\{)/.exec(body);
  if (!named || (limit >= text.length && named[0].length === body.length)) return undefined;
  const name = bareName(named[1]!);
  if (body[named[0].length] === '{') return withJson(name, text, from + named[0].length);
  const pair =
    /\s*<(?:longcat_)?arg_key>([^<]*)<\/(?:longcat_)?arg_key>\s*<(?:longcat_)?arg_value>([\s\S]*?)<\/(?:longcat_)?arg_value>\s*/y;
  pair.lastIndex = named[0].length;
  const parameters: { key: string; text: string }[] = [];
  let end = named[0].length;
  for (let found = pair.exec(body); found; found = pair.exec(body)) {
    parameters.push({ key: found[1]!.trim(), text: found[2]! });
    end = pair.lastIndex;
  }
  const rest = body.slice(end);
  // Without an end tag more might have come.
  if (rest.trim() !== '' || limit >= text.length) return { calls: [cutOff(name, body)], end: limit };
  return { calls: [callWith(name, parameters, tools)], end: limit };
}

function withJson(
  name: string,
  text: string,
  from: number,
): { readonly calls: readonly FoundCall[]; readonly end: number } | undefined {
  const read = readJson(text, from);
  if (read === 'cut') return { calls: [cutOff(name, text.slice(from))], end: text.length };
  return read && { calls: [callOf(name, read)], end: read.end };
}
