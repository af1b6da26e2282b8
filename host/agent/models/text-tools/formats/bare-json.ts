import { callsOf } from '../call-shape.ts';
import { truncatedCall, nameIn } from '../truncated.ts';
import { matchAt, type CallFormat, type FoundCall, type ParsedCalls, type Tools } from '../format.ts';
import { readJson } from '../lenient-json.ts';
import { withLastBracket } from './json-body.ts';

/** A call as nothing but JSON, on lines of its own; several after one another, as Llama separates them by semicolons. */
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

/** JSON that is broken or cut off, and yet says that it calls a tool that exists: the model is answered that. */
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

/** Characters: the name and the beginning of the arguments come early. */
const maxDistance = 2_000;
