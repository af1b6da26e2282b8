import { callOf } from '../call-shape.ts';
import { bareName, matchAt, type CallFormat, type FoundCall, type ParsedCalls } from '../format.ts';
import { readJson } from '../lenient-json.ts';

const solar =
  /\s*(?:<\|tool_calls\|>\s*)?<\|tool_call:begin\|>\s*[\w-]*\s*<\|tool_call:name\|>\s*([A-Za-z_][\w.-]*)\s*<\|tool_call:args\|>\s*(?=\{)/;
const solarEnd = /\s*<\|tool_call:end\|>(?:\s*<\|calls\|>)?/;
const qwen = /\s*✿FUNCTION✿:\s*([A-Za-z_][\w.-]*)\s*✿ARGS✿:\s*(?=\{)/;
const qwenEnd = /\s*✿RE(?:SULT|TURN)✿:?[\s\S]*$/;

/** `<|tool_call:begin|>id<|tool_call:name|>f<|tool_call:args|>{…}<|tool_call:end|>`, Solar's; `<|tool_calls|>` may lead them. */
export const solarTokens: CallFormat = {
  opening: /(?:<\|tool_calls\|>\s*)?<\|tool_call:begin\|>/,
  unmistakable: true,
  read: (text, at) => readFields(text, at, solar, solarEnd),
};

/** `✿FUNCTION✿: f`, `✿ARGS✿: {…}`, of Qwen's own agents. */
export const qwenTokens: CallFormat = {
  opening: /✿FUNCTION✿:/,
  unmistakable: true,
  read: (text, at) => readFields(text, at, qwen, qwenEnd),
};

/** Calls written as a name and JSON, each after a token. */
function readFields(text: string, at: number, head: RegExp, end: RegExp): ParsedCalls | undefined {
  const calls: FoundCall[] = [];
  let index = at;
  for (let opened = matchAt(head, text, index); opened; opened = matchAt(head, text, index)) {
    const read = readJson(text, index + opened[0].length);
    if (!read || read === 'cut') return undefined;
    calls.push(callOf(bareName(opened[1]!), read));
    index = read.end + (matchAt(end, text, read.end)?.[0].length ?? 0);
  }
  return calls.length > 0 ? { calls, end: index } : undefined;
}

/** Tokens that begin calls in an unknown format: never parsed, so the model gets an error. */
export const unknownTokens: CallFormat = {
  opening:
    /<[|｜][^|｜<>\s]*(?:tool|function|action)[^|｜<>\s]*(?:begin|start|prefix)[^|｜<>\s]*[|｜]>|<[|｜](?:START|BEGIN)_[A-Z_]*(?:TOOL|FUNCTION|ACTION)[A-Z_]*[|｜]>/i,
  unmistakable: true,
  read: () => undefined,
};
