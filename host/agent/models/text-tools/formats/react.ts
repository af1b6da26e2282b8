import { callOf, callsOf, withProblem } from '../call-shape.ts';
import { bareName, matchAt, type CallFormat, type ParsedCalls, type Tools } from '../format.ts';
import { truncatedCall, unreadableCall } from '../truncated.ts';
import { readJson, type ReadValue } from '../lenient-json.ts';
import { callWith } from '../typed-value.ts';

const opening = /(?<=^|\n)[ \t]*Action:[ \t]*[`"']?[A-Za-z_][\w.-]*[`"']?[ \t]*\r?\n[ \t]*Action Input:/;

/** "Action: name", "Action Input: {…}", each on its line. */
export const react: CallFormat = {
  opening,
  unmistakable: false,
  read(text, at, tools) {
    const opened = matchAt(opening, text, at);
    if (!opened) return undefined;
    const name = bareName(/Action:[ \t]*[`"']?([\w.-]+)/.exec(opened[0])![1]!);
    const from = at + opened[0].length;
    const fence = matchAt(/\s*```\w*/, text, from)?.[0].length ?? 0;
    const read = readJson(text, from + fence);
    if (!read || read === 'cut') return readText(text, from, name, read, tools);
    const end = read.end + (fence ? (matchAt(/\s*```/, text, read.end)?.[0].length ?? 0) : 0);
    const rest = matchAt(/[^\n]*/, text, end)![0].trim();
    const call = callOf(name, read);
    if (rest === '') return { calls: [call], end };
    const problem = `${JSON.stringify(rest.slice(0, 80))} follows its arguments`;
    return { calls: withProblem([call], problem), end: end + rest.length };
  },
};

/** Command R of 2024: "Action:" with a list of calls in a code block. */
export const actionList: CallFormat = {
  opening: /(?<=^|\n)[ \t]*Action:\s*```(?:json)?\s*(?=\[)/,
  unmistakable: false,
  read(text, at, tools) {
    const from = at + matchAt(actionList.opening, text, at)![0].length;
    const read = readJson(text, from);
    const calls = read && read !== 'cut' ? callsOf(read, tools, true) : undefined;
    if (!read || read === 'cut' || !calls) return undefined;
    return { calls, end: read.end + (matchAt(/\s*```/, text, read.end)?.[0].length ?? 0) };
  },
};

/** LangChain's tools with a single string parameter take plain text; any other input that isn't JSON is unreadable. */
function readText(
  text: string,
  from: number,
  name: string,
  read: ReadValue,
  tools: Tools,
): ParsedCalls | undefined {
  if (!tools.has(name)) return undefined;
  if (read === 'cut') return { calls: [truncatedCall(name, text.slice(from))], end: text.length };
  const line = matchAt(/[^\n]*/, text, from)![0];
  const end = from + line.length;
  const isWhole = tools.ended || end < text.length;
  const parameters = Object.entries(tools.properties(name) ?? {});
  const [only] = parameters;
  const takesText = parameters.length === 1 && only![1]['type'] === 'string';
  if (!isWhole || !takesText || line.trim() === '' || /^\s*[{[]/.test(line)) {
    const call = { ...unreadableCall(line.trim()), name };
    return { calls: [call], end };
  }
  return { calls: [callWith(name, [{ key: only![0], text: line.trim() }], tools)], end };
}
