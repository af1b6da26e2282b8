import { matchAt, skipSpace, type CallFormat, type FoundCall, type Reading } from '../format.ts';
import { readJson } from '../lenient-json.ts';
import { cutPythonCall, readPythonCalls } from '../python-call.ts';
import { readArgTags } from './arg-tags.ts';
import { functionTag } from './function-tag.ts';
import { invokeTag } from './invoke-tag.ts';
import { readJsonCalls } from './json-body.ts';

/** Hermes and Qwen, Jamba, Nemotron, Granite, Phi, LFM2, InternLM, Command-R; the closing tag of any closes all. */
const opening =
  /<(?:tool_calls?|toolcall|TOOLCALL|tool_use|function_calls?|antml:function_calls)>|<\|(?:tool_calls?|tool_call_start|START_ACTION)\|>|<\|action_start\|>(?:\s*<\|(?:plugin|interpreter)\|>)?|<tool_call\|>/;
const closing =
  /<\/(?:tool_calls?|toolcall|TOOLCALL|tool_use|function_calls?|antml:function_calls)>|<\|\/(?:tool_calls?)\|>|<\|(?:tool_call_end|END_ACTION|action_end)\|>|<\|im_end\|>/;

/** `<tool_call>{"name": …, "arguments": …}</tool_call>`, and whatever else models put between these tags. */
export const toolCallTag: CallFormat = {
  opening,
  unmistakable: true,
  read(text, at, tools) {
    const opened = matchAt(opening, text, at);
    if (!opened) return undefined;
    const from = at + opened[0].length;
    const calls: FoundCall[] = [];
    let index = from;
    for (;;) {
      index = skipSpace(text, index);
      const closed = matchAt(closing, text, index);
      if (closed) return calls.length > 0 ? { calls, end: index + closed[0].length } : undefined;
      const read = readOne(text, index);
      if (!read) return calls.length > 0 ? { calls, end: index } : undefined;
      calls.push(...read.calls);
      index = read.end;
      if (index >= text.length) return { calls, end: index };
    }

    function readOne(whole: string, start: number): Reading | undefined {
      for (const inner of [functionTag, invokeTag]) {
        const read = matchAt(inner.opening, whole, start) && inner.read(whole, start, tools);
        if (read) return read;
      }
      const limit = limitOf(whole, start);
      // A name alone is a call only where nothing stands before it.
      const tagged = calls.length === 0 || whole.slice(start, limit).includes('<arg_key>');
      const read =
        readJsonCalls(whole, start, limit, tools) ??
        (tagged ? readArgTags(whole, start, limit, tools) : undefined);
      if (read) return { ...read, end: afterFence(whole, read.end) };
      const python = readPythonCalls(whole, start, tools);
      return python === 'cut' ? { calls: cutPythonCall(whole, start), end: whole.length } : python;
    }
  },
};

/** Index of the end tag, or of the text's end: JSON that is whole may hold what looks like an end tag. */
function limitOf(text: string, from: number): number {
  const read = readJson(text, from);
  if (read && read !== 'cut') return text.length;
  const closed = closing.exec(text.slice(from));
  return closed ? from + closed.index : text.length;
}

function afterFence(text: string, from: number): number {
  const at = skipSpace(text, from);
  return text.startsWith('```', at) ? at + 3 : from;
}
