import { callOf, withProblem } from '../call-shape.ts';
import { bareName, matchAt, type CallFormat } from '../format.ts';
import { readJson } from '../lenient-json.ts';

const opening = /(?<=^|\n)[ \t]*Action:[ \t]*[`"']?[A-Za-z_][\w.-]*[`"']?[ \t]*\r?\n[ \t]*Action Input:/;

/** "Action: name", "Action Input: {…}", each on its line. */
export const react: CallFormat = {
  opening,
  unmistakable: false,
  read(text, at) {
    const opened = matchAt(opening, text, at);
    if (!opened) return undefined;
    const name = bareName(/Action:[ \t]*[`"']?([\w.-]+)/.exec(opened[0])![1]!);
    const from = at + opened[0].length;
    const fence = matchAt(/\s*```\w*/, text, from)?.[0].length ?? 0;
    const read = readJson(text, from + fence);
    if (!read || read === 'cut') return undefined;
    const end = read.end + (fence ? (matchAt(/\s*```/, text, read.end)?.[0].length ?? 0) : 0);
    const rest = matchAt(/[^\n]*/, text, end)![0].trim();
    const call = callOf(name, read);
    if (rest === '') return { calls: [call], end };
    const problem = `after its arguments stands ${JSON.stringify(rest.slice(0, 80))}`;
    return { calls: withProblem([call], problem), end: end + rest.length };
  },
};
