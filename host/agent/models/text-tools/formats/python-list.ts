import { matchAt, type CallFormat } from '../format.ts';
import { readPythonCalls } from '../python-call.ts';

/** `[f(a=1), g(b="x")]` on a line of its own, as Llama 3.2 and 4 write calls. */
export const pythonList: CallFormat = {
  opening: /(?<=^|\n)[ \t]*\[\s*[A-Za-z_][\w.-]*\(/,
  unmistakable: false,
  read(text, at, tools) {
    const read = readPythonCalls(text, at, tools);
    if (read === undefined || read === 'cut') return undefined;
    return matchAt(/[ \t]*(?:\n|$|<\|)/, text, read.end) ? read : undefined;
  },
};

/** `f(a=1)` as the whole text. */
export const pythonLine: CallFormat = {
  opening: /(?<=^\s*)[A-Za-z_][\w.-]*\(/,
  unmistakable: false,
  read(text, at, tools) {
    if (text.slice(0, at).trim() !== '') return undefined;
    const read = readPythonCalls(text, at, tools);
    if (read === undefined || read === 'cut') return undefined;
    return text.slice(read.end).trim() === '' ? read : undefined;
  },
};
