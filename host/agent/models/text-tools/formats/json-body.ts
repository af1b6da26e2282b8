import { callOf, callsOf } from '../call-shape.ts';
import { unnamed } from '../../wire/call-deltas.ts';
import { truncatedCall, nameIn } from '../truncated.ts';
import { matchAt, skipSpace, type FoundCall, type ParsedCalls, type Tools } from '../format.ts';
import { readJson } from '../lenient-json.ts';

/** The calls at `from`, as many values as follow each other, and the index after them. */
export interface JsonCalls {
  readonly calls: readonly FoundCall[];
  readonly end: number;
}

/**
 * Values of JSON that are calls, up to whatever comes after them. Of one that is cut off the rest is kept as it is,
 * under its name if that came through. Undefined when the first is no call.
 */
export function readJsonCalls(
  text: string,
  from: number,
  limit: number,
  tools: Tools,
): JsonCalls | undefined {
  const calls: FoundCall[] = [];
  const body = text.slice(0, limit);
  let end = from;
  for (let at = skipFence(body, from); body[at] === '{' || body[at] === '[';) {
    const read = readJson(body, at);
    if (read === 'cut') {
      calls.push(...unfinished(body.slice(at), limit < text.length || tools.ended, tools));
      return { calls, end: limit };
    }
    const found = read && callsOf(read, tools, true);
    if (!read || !found) break;
    calls.push(...found);
    end = read.end;
    at = skipFence(body, skipSpace(body, end));
    if (body[at] === '<') end = at;
    if (body[at] === ',' || body[at] === ';') at = skipSpace(body, at + 1);
    // A brace too many.
    if (/^\}\s*(?:<|$)/.test(body.slice(at))) end = at + 1;
  }
  return calls.length > 0 ? { calls, end } : undefined;
}

/** A call whose name stands before its arguments: an object, also in a code block. Undefined when none begins at `from`. */
export function readArguments(name: string, text: string, from: number): ParsedCalls | undefined {
  const opened = matchAt(/\s*(?<fence>```\w*\s*)?(?=\{)/, text, from);
  if (!opened) return undefined;
  const at = from + opened[0].length;
  const read = readJson(text, at);
  if (read === 'cut') return { calls: [truncatedCall(name, text.slice(at))], end: text.length };
  if (!read) return undefined;
  const closed = opened.groups!['fence'] === undefined ? undefined : matchAt(/\s*```/, text, read.end);
  return { calls: [callOf(name, read)], end: read.end + (closed?.[0].length ?? 0) };
}

/** Fences and comments inside of markup say nothing more. */
function skipFence(text: string, from: number): number {
  const at = skipSpace(text, from);
  const fence = /(?:```\w*\s*|\/\/[^\n]*(?:\n\s*|$))+/y;
  fence.lastIndex = at;
  return fence.test(text) ? fence.lastIndex : at;
}

/** A call whose value is not closed. When the model was done (`whole`), only its last bracket may be missing. */
function unfinished(body: string, whole: boolean, tools: Tools): readonly FoundCall[] {
  const calls = whole ? withLastBracket(body, tools) : undefined;
  return calls ?? [truncatedCall(nameIn(body) ?? unnamed, body)];
}

/**
 * The calls in JSON of which nothing but the last bracket is missing. The arguments must be closed: of those that
 * aren't nobody knows what more they would have held.
 */
export function withLastBracket(body: string, tools: Tools): FoundCall[] | undefined {
  const text = body.trimEnd();
  if (!/[}\]]$/.test(text)) return undefined;
  const read = readJson(text + (text.startsWith('[') ? ']' : '}'), 0);
  return read && read !== 'cut' ? callsOf(read, tools, false) : undefined;
}
