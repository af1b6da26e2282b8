import { callOf, callsOf } from '../call-shape.ts';
import { unnamed } from '../../wire/call-deltas.ts';
import { truncatedCall, nameIn } from '../truncated.ts';
import { matchAt, skipSpace, type FoundCall, type ParsedCalls, type Tools } from '../format.ts';
import { readJson } from '../lenient-json.ts';

/** Consecutive calls, and the index after them. */
export interface JsonCalls {
  readonly calls: readonly FoundCall[];
  readonly end: number;
}

/**
 * Reads consecutive JSON values that are calls. The text of a truncated one is kept, under its name if that is complete.
 * Undefined when the first value is not a call.
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
    // An extra closing brace.
    if (/^\}\s*(?:<|$)/.test(body.slice(at))) end = at + 1;
  }
  return calls.length > 0 ? { calls, end } : undefined;
}

/** A call whose name precedes its arguments: an object, also in a code block. Undefined when none begins at `from`. */
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

/** Skips fences and comments inside markup. */
function skipFence(text: string, from: number): number {
  const at = skipSpace(text, from);
  const fence = /(?:```\w*\s*|\/\/[^\n]*(?:\n\s*|$))+/y;
  fence.lastIndex = at;
  return fence.test(text) ? fence.lastIndex : at;
}

/** A call whose value is not closed. If the model ended its reply (`whole`), only the last bracket may be missing. */
function unfinished(body: string, whole: boolean, tools: Tools): readonly FoundCall[] {
  const calls = whole ? withLastBracket(body, tools) : undefined;
  return calls ?? [truncatedCall(nameIn(body) ?? unnamed, body)];
}

/**
 * The calls in JSON that lacks only its last bracket. The arguments must be closed, since unclosed ones may be
 * incomplete.
 */
export function withLastBracket(body: string, tools: Tools): FoundCall[] | undefined {
  const text = body.trimEnd();
  if (!/[}\]]$/.test(text)) return undefined;
  const read = readJson(text + (text.startsWith('[') ? ']' : '}'), 0);
  return read && read !== 'cut' ? callsOf(read, tools, false) : undefined;
}
