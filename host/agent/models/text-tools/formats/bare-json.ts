import { callsOf } from '../call-shape.ts';
import { matchAt, type CallFormat } from '../format.ts';
import { readJson } from '../lenient-json.ts';

/** A call as nothing but JSON, on lines of its own. */
export const bareJson: CallFormat = {
  opening: /(?<=^|\n)[ \t]*(?:\{\s*["'\w]|\[\s*\{)/,
  unmistakable: false,
  read(text, at, tools) {
    const read = readJson(text, at);
    if (!read || read === 'cut') return undefined;
    const calls = callsOf(read, tools, false);
    return calls && matchAt(/[ \t;,]*(?:\r?\n|$|<\|)/, text, read.end) ? { calls, end: read.end } : undefined;
  },
};
