import { callsOf } from '../call-shape.ts';
import { matchAt, skipSpace, type CallFormat, type FoundCall, type Tools } from '../format.ts';
import { readJson } from '../lenient-json.ts';
import { readPythonProgram } from '../python-call.ts';
import { readBroken } from './bare-json.ts';
import { toolCallTag } from './tool-call-tag.ts';

const opening = /(?<=^|\n)[ \t]*```[\w+-]*[ \t]*\r?\n/;
/** Fences with these names hold calls and nothing else. */
const forCalls = /^(?:tool_calls?|tool_code|tool|tool_use|function_calls?|function|action|json_call)$/;
/** Words before a code block that is only an example. */
const leadsToExample =
  /\b(?:example|e\.g\.|for instance|sample|format|syntax|schema|would look|looks? like|could (?:be|look|call|write|use)|you (?:can|could|would|might)|respon[ds]e|returns?|returned|result|output)\b[^\n]{0,120}$/i;

/** A code block that is a call: by its language, or as JSON that calls an existing tool. */
export const fenced: CallFormat = {
  opening,
  unmistakable: false,
  read(text, at, tools) {
    const opened = matchAt(opening, text, at);
    if (!opened) return undefined;
    const from = at + opened[0].length;
    const closed = text.indexOf('```', afterJson(text, from));
    const body = text.slice(from, closed < 0 ? text.length : closed).trim();
    const language = /```([\w+-]*)/.exec(opened[0])![1]!.toLowerCase();
    const end = closed < 0 ? text.length : closed + 3;
    const calls = forCalls.test(language)
      ? (jsonCalls(body, tools, true) ?? readPythonProgram(body, tools))
      : leadsToExample.test(text.slice(0, at).trimEnd().slice(-200))
        ? undefined
        : shownCalls(body, language, tools, text.slice(end));
    return calls && calls.length > 0 ? { calls, end } : undefined;
  },
};

/** Index after the JSON at the start of the block, whose strings may contain fences. */
export function afterJson(text: string, from: number): number {
  const at = skipSpace(text, from);
  if (text[at] !== '{' && text[at] !== '[') return from;
  const read = readJson(text, at);
  return read && read !== 'cut' ? read.end : from;
}

function shownCalls(
  body: string,
  language: string,
  tools: Tools,
  after: string,
): readonly FoundCall[] | undefined {
  if (['', 'json', 'json5', 'jsonc', 'javascript', 'js'].includes(language)) {
    const calls = jsonCalls(body, tools, false) ?? readBroken(body, 0, tools)?.calls;
    if (calls) return calls;
  }
  // Markup of a call in a fence is a call only at the end of the reply.
  if (after.trim() !== '' || !['', 'xml', 'html', 'text'].includes(language)) return undefined;
  const read = matchAt(toolCallTag.opening, body, 0) && toolCallTag.read(body, 0, tools);
  return read && body.slice(read.end).trim() === '' ? read.calls : undefined;
}

/** One value, or one per line. */
function jsonCalls(body: string, tools: Tools, bare: boolean): readonly FoundCall[] | undefined {
  const calls: FoundCall[] = [];
  for (let at = 0; at < body.length;) {
    const read = readJson(body, at);
    const found = read && read !== 'cut' ? callsOf(read, tools, bare) : undefined;
    if (!found || !read || read === 'cut') return undefined;
    calls.push(...found);
    at = read.end + (matchAt(/[\s,;]*/, body, read.end)?.[0].length ?? 0);
  }
  return calls;
}
