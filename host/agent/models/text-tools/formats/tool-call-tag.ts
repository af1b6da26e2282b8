import { attributes, callOfAttributes, readAttributes } from '../attributes.ts';
import { callOf, isObject, withProblem } from '../call-shape.ts';
import { callOfElements, readElements } from '../elements.ts';
import {
  matchAt,
  skipSpace,
  type CallFormat,
  type FoundCall,
  type ParsedCalls,
  type Tools,
} from '../format.ts';
import { readJson } from '../lenient-json.ts';
import { cutPythonCall, readPythonCalls, readPythonProgram } from '../python-call.ts';
import { readArgTags } from './arg-tags.ts';
import { functionTag } from './function-tag.ts';
import { invokeTag } from './invoke-tag.ts';
import { readJsonCalls } from './json-body.ts';
import { readParameterTags } from './parameter-tags.ts';

/** Tags of many models: `<tool_call>`, `<seed:tool_call>`, `<longcat_tool_call>`, `<TOOLCALL>`, `<function-call>`. */
const tag = String.raw`(?:[a-z]\w*:|longcat_)?(?:tool[_-]?calls?|tool_use|tool_code|function[_-]?calls?)`;
const token = String.raw`<\|(?:tool_calls?|tool_call_start|function_call|START_ACTION)\|>|<\|action_start\|>(?:\s*<\|(?:plugin|interpreter)\|>)?|<tool_call\|>|\[unused11\]|(?:<\|im_start\|>\s*assistant\s*)?->\s*tool/function_call(?=\s*\[)|function call<\|role_sep\|>|(?<=(?:^|\n)[ \t]*)functools(?=\s*\[\s*\{)`;

/**
 * Hermes and Qwen, Jamba, Nemotron, Granite, Phi, LFM2, InternLM, Command-R, Seed, LongCat, GigaChat, Pangu; any
 * closing tag closes any of them.
 */
const opening = new RegExp(`<${tag}${attributes}\\s*/?>|${token}`, 'i');
const closing = new RegExp(
  String.raw`</${tag}>|<\|/(?:tool_calls?)\|>|<\|(?:tool_call_end|END_ACTION|action_end|message_sep)\|>|<\|im_end\|>|\[unused12\]`,
  'i',
);

/** `<tool_call>{"name": …, "arguments": …}</tool_call>`, and whatever else models put between these tags. */
export const toolCallTag: CallFormat = {
  opening,
  unmistakable: true,
  read(text, at, tools) {
    const opened = matchAt(opening, text, at);
    if (!opened) return undefined;
    const from = at + opened[0].length;
    const attributed = readAttributed(text, opened[0], from, tools);
    if (attributed) return attributed;
    const calls: FoundCall[] = [];
    let index = from;
    // Hunyuan and others wrap each call in a tag of its own inside the outer one.
    for (let open = 1; open > 0 && index < text.length; index = skipSpace(text, index)) {
      const closed = matchAt(closing, text, skipSpace(text, index));
      const nested = closed ? undefined : matchAt(opening, text, skipSpace(text, index));
      if (closed || (nested && !readAttributes(nested[0]))) {
        open += closed ? -1 : 1;
        index = skipSpace(text, index) + (closed ?? nested!)[0].length;
        if (closed && calls.length === 0) return undefined;
        continue;
      }
      const read = readOne(text, skipSpace(text, index), calls.length === 0, tools);
      if (!read) break;
      calls.push(...read.calls);
      index = read.end;
    }
    return calls.length > 0 ? { calls, end: index } : undefined;
  },
};

/** The next item between the tags. `first`: nothing precedes it. */
function readOne(text: string, start: number, first: boolean, tools: Tools): ParsedCalls | undefined {
  const named = matchAt(opening, text, start);
  const attributed = named && readAttributed(text, named[0], start + named[0].length, tools);
  if (attributed) return attributed;
  for (const inner of [functionTag, invokeTag]) {
    const read = matchAt(inner.opening, text, start) && inner.read(text, start, tools);
    if (read) return read;
  }
  const limit = limitOf(text, start);
  // A bare name is a call only when nothing precedes it.
  const tagged = first || text.slice(start, limit).includes('arg_key>');
  const read =
    readJsonCalls(text, start, limit, tools) ?? (tagged ? readArgTags(text, start, limit, tools) : undefined);
  if (read) return { ...read, end: afterFence(text, read.end) };
  const call = readNested(text, start, limit, tools);
  if (call) return call;
  const program = readPythonProgram(text.slice(start, limit), tools);
  if (program && program.length > 0) return { calls: program, end: limit };
  const python = readPythonCalls(text, start, tools);
  return python === 'cut' ? { calls: cutPythonCall(text, start), end: text.length } : python;
}

/** Elements, also inside of `<invoke>` without a name, as Claude 2 wrote them. */
function readNested(text: string, start: number, limit: number, tools: Tools): ParsedCalls | undefined {
  const invoke = matchAt(/<invoke>/, text, start)?.[0].length ?? 0;
  const closed = invoke > 0 ? text.indexOf('</invoke>', start) : limit;
  // Without a closing tag, the call may be truncated.
  if (closed < 0 || closed > limit || closed >= text.length) return undefined;
  const elements = readElements(text, start + invoke, closed);
  const call = elements && callOfElements(elements, tools);
  return call && { calls: [call], end: invoke > 0 ? closed + '</invoke>'.length : limit };
}

/** `<tool_call name="read_file" …>`: the arguments are its other attributes, or its content. */
export function readAttributed(
  text: string,
  opened: string,
  from: number,
  tools: Tools,
  closes = closing,
): ParsedCalls | undefined {
  const said = readAttributes(opened);
  if (!said) return undefined;
  if (opened.endsWith('/>')) return { calls: [callOfAttributes(said, tools)], end: from };
  const start = skipSpace(text, from);
  const read = readBody(text, start, said.name, tools, closes);
  if (!read) return undefined;
  const closed = matchAt(closes, text, skipSpace(text, read.end));
  const end = closed ? skipSpace(text, read.end) + closed[0].length : read.end;
  if (read.calls.length === 0) return closed && { calls: [callOfAttributes(said, tools)], end };
  if (said.arguments.length === 0) return { calls: read.calls, end };
  const beside = said.arguments.map(({ key }) => `"${key}"`).join(', ');
  return { calls: withProblem(read.calls, `${beside} is outside its arguments`), end };
}

function readBody(
  text: string,
  start: number,
  name: string,
  tools: Tools,
  closes: RegExp,
): ParsedCalls | undefined {
  if (matchAt(closes, text, start)) return { calls: [], end: start };
  if (matchAt(/<(?:[a-z]+:)?(?:parameter|param|arg(?:ument)?)(?:=|\s+name=)/i, text, start)) {
    const { call, end } = readParameterTags(text, start, name, tools);
    return { calls: [call], end };
  }
  const fence = matchAt(/```\w*\s*(?=\{)/, text, start)?.[0].length ?? 0;
  const read = readJson(text, start + fence);
  if (read && read !== 'cut' && isObject(read.value))
    return { calls: [callOf(name, read)], end: fence > 0 ? afterFence(text, read.end) : read.end };
  const closed = closes.exec(text.slice(start));
  if (!closed) return undefined;
  const elements = readElements(text, start, start + closed.index);
  const call = elements && callOfElements([{ key: 'name', text: name }, ...elements], tools);
  return call && { calls: [call], end: start + closed.index };
}

/** Index of the closing tag, or the end of the text. Complete JSON is skipped, since it may contain closing tags. */
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
