import { callsOf } from '../call-shape.ts';
import { truncatedCall, nameIn } from '../truncated.ts';
import { matchAt, type CallFormat, type FoundCall, type ParsedCalls, type Tools } from '../format.ts';
import { readJson } from '../lenient-json.ts';
import { withLastBracket } from './json-body.ts';

/** A call as bare JSON, on lines of its own; several in a row, separated by semicolons as by Llama. */
export const bareJson: CallFormat = {
  opening: /(?<=^|\n)[ \t]*(?:\{\s*(?:\{\s*)?["'\w]|\[\s*\{)/,
  unmistakable: false,
  read(text, at, tools) {
    const calls: FoundCall[] = [];
    let end = at;
    for (let from = at; ;) {
      const read = readJson(text, from);
      const found = read && read !== 'cut' ? callsOf(read, tools, false) : undefined;
      if (!found || !read || read === 'cut') {
        if (calls.length === 0) return readBroken(text, from, tools);
        break;
      }
      calls.push(...found);
      end = read.end;
      const next = matchAt(/[ \t]*[;,][ \t]*(?:\r?\n[ \t]*)?(?=[{[])|[ \t]+(?=[{[])/, text, end);
      if (!next) break;
      from = end + next[0].length;
    }
    return matchAt(/[ \t;,]*(?:\r?\n|$|<\|)/, text, end) ? { calls, end } : undefined;
  },
};

const argumentsKey = /["']?(?:arguments|parameters|args|params|tool_input|action_input)["']?\s*:\s*["'{[]/;

/** Invalid or truncated JSON that clearly calls an existing tool: the model gets an error. */
export function readBroken(text: string, from: number, tools: Tools): ParsedCalls | undefined {
  const body = text.slice(from);
  const read = readJson(text, from);
  if (read && read !== 'cut') return undefined;
  const calls = read === 'cut' && tools.ended ? withLastBracket(body, tools) : undefined;
  if (calls) return { calls, end: text.length };
  const name = nameIn(body.slice(0, maxDistance));
  if (name === undefined || !tools.has(name) || !argumentsKey.test(body.slice(0, maxDistance)))
    return undefined;
  return { calls: [truncatedCall(name, body)], end: text.length };
}

/** Characters within which the name and the start of the arguments must come. */
const maxDistance = 2_000;
