import { callsOf } from '../call-shape.ts';
import { cutOff } from '../cut-off.ts';
import { skipSpace, type FoundCall, type Tools } from '../format.ts';
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
      calls.push(...unfinished(body.slice(at), limit < text.length, tools));
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

/** Fences and comments inside of markup say nothing more. */
function skipFence(text: string, from: number): number {
  const at = skipSpace(text, from);
  const fence = /(?:```\w*\s*|\/\/[^\n]*(?:\n\s*|$))+/y;
  fence.lastIndex = at;
  return fence.test(text) ? fence.lastIndex : at;
}

/**
 * A call whose value is not closed. When its markup is (`closed`) and only the last brace is missing, the model was
 * done: the call is whole. Otherwise nothing may run it.
 */
function unfinished(body: string, closed: boolean, tools: Tools): FoundCall[] {
  if (closed) {
    const repaired = readJson(`${body.trimEnd()}}`, 0);
    const calls = repaired && repaired !== 'cut' ? callsOf(repaired, tools, false) : undefined;
    if (calls && /[}\]"']\s*$/.test(body)) return calls;
  }
  const name = /["']?(?:name|tool_name|tool|function)["']?\s*:\s*["']([\w.-]+)["']/.exec(body)?.[1];
  return name === undefined ? [] : [cutOff(name, body)];
}
