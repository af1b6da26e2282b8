import { unnamed } from '../wire/call-deltas.ts';
import type { FoundCall } from './format.ts';
import { parseJson } from '../../../core/documents/written-numbers.ts';

/** A truncated call with the text that arrived. Its arguments are not valid JSON, so dispatch refuses it. */
export const truncatedCall = (name: string, rest: string): FoundCall => ({
  name,
  arguments: isJson(rest) ? `${rest} …` : rest,
});

/** Markup that begins a call in an unknown format. The model gets an error, and nothing runs. */
export const unreadableCall = (markup: string): FoundCall => ({
  ...truncatedCall(nameIn(markup) ?? unnamed, markup.slice(0, maxQuotedLength)),
  problem: `${JSON.stringify(markup.slice(0, 80))} is not a known format of calls`,
});

/** Characters of unreadable markup that the model gets back. */
const maxQuotedLength = 2_000;

/** The tool's name in JSON that can't be parsed. */
export function nameIn(body: string): string | undefined {
  return /["'](?:name|tool_name|tool|function|function_name)["']\s*:\s*["']([\w.-]+)["']/.exec(body)?.[1];
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
