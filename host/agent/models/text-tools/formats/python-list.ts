import { matchAt, type CallFormat, type ParsedCalls, type Tools } from '../format.ts';
import { cutPythonCall, readPythonCalls } from '../python-call.ts';

/** `[f(a=1), g(b="x")]` on a line of its own, as Llama 3.2 and 4 write calls. */
export const pythonList: CallFormat = {
  opening: /(?<=^|\n)[ \t]*\[\s*[A-Za-z_][\w.-]*\(/,
  unmistakable: false,
  read(text, at, tools) {
    const read = readPythonCalls(text, at, tools);
    if (read === 'cut') return cut(text, at, tools);
    if (read === undefined) return undefined;
    return matchAt(/[ \t]*(?:\n|$|<\|)/, text, read.end) ? read : undefined;
  },
};

const line = /(?<=^\s*)(?:Call:\s*)?[A-Za-z_][\w.-]*\(/;

/** `f(a=1)` as the whole text, NexusRaven's with "Call:" before it. */
export const pythonLine: CallFormat = {
  opening: line,
  unmistakable: false,
  read(text, at, tools) {
    if (text.slice(0, at).trim() !== '') return undefined;
    const from = at + (matchAt(/Call:\s*/, text, at)?.[0].length ?? 0);
    const read = readPythonCalls(text, from, tools);
    if (read === 'cut') return cut(text, from, tools);
    if (read === undefined) return undefined;
    const end = read.end + (matchAt(/\s*<bot_end>/, text, read.end)?.[0].length ?? 0);
    return text.slice(end).trim() === '' ? { calls: read.calls, end } : undefined;
  },
};

/** A keyword argument distinguishes a call from a mention of the function. */
function cut(text: string, from: number, tools: Tools): ParsedCalls | undefined {
  const [, name] = matchAt(/[\s[]*([A-Za-z_][\w.-]*)\(\s*(?:\)|[A-Za-z_]\w*\s*=(?!=))/, text, from) ?? [];
  if (name === undefined || !tools.has(name)) return undefined;
  return { calls: cutPythonCall(text, from), end: text.length };
}
