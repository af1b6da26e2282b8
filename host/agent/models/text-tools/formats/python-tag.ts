import { matchAt, skipSpace, type CallFormat, type ParsedCalls } from '../format.ts';
import { cutPythonCall, readPythonCalls } from '../python-call.ts';
import { readJsonCalls } from './json-body.ts';

const marker = /<\|python_(?:tag|start)\|>/;

/** Llama's `<|python_tag|>`, with JSON or Python after it. A program with anything but calls is no call. */
export const pythonTag: CallFormat = {
  opening: marker,
  unmistakable: true,
  read(text, at, tools) {
    const opened = matchAt(marker, text, at);
    if (!opened) return undefined;
    const from = skipSpace(text, at + opened[0].length);
    const python = readPythonCalls(text, from, tools);
    const read =
      readJsonCalls(text, from, text.length, tools) ?? (python === 'cut' ? cut(text, from) : python);
    if (!read) return undefined;
    const closed = matchAt(/\s*<\|(?:eom_id|eot_id|eot|python_end)\|>/, text, read.end);
    return { calls: read.calls, end: closed ? read.end + closed[0].length : read.end };
  },
};

const cut = (text: string, from: number): ParsedCalls => ({
  calls: cutPythonCall(text, from),
  end: text.length,
});
