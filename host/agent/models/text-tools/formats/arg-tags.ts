import { bareName, type ParsedCalls, type Tools } from '../format.ts';
import { callWith } from '../typed-value.ts';
import { truncatedCall } from '../truncated.ts';
import { readArguments } from './json-body.ts';

/**
 * GLM, LongCat and Hunyuan, between tool_call tags: the name, then `<arg_key>k</arg_key><arg_value>v</arg_value>` pairs,
 * or JSON, also in a code block.
 */
export function readArgTags(
  text: string,
  from: number,
  limit: number,
  tools: Tools,
): ParsedCalls | undefined {
  const body = text.slice(from, limit);
  const named =
    /^\s*([A-Za-z_][\w.-]*)\s*(?:<tool_sep>\s*)?(?=<(?:longcat_)?arg_key>|$|(?:```\w*\s*)?\{)/.exec(body);
  if (!named || (limit >= text.length && named[0].length === body.length)) return undefined;
  const name = bareName(named[1]!);
  const call = readArguments(name, text, from + named[0].length);
  if (call) return call;
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
  // Without a closing tag, the call may be truncated.
  if (rest.trim() !== '' || limit >= text.length) return { calls: [truncatedCall(name, body)], end: limit };
  return { calls: [callWith(name, parameters, tools)], end: limit };
}
