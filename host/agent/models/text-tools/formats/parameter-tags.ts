import { matchAt, skipSpace, type FoundCall, type Tools } from '../format.ts';
import { callWith } from '../typed-value.ts';
import { truncatedCall } from '../truncated.ts';

const parameter =
  /<(?:｜DSML｜|[a-z]+:)?(?:parameter|param|arg(?:ument)?)(?:=|\s+name=)["']?([\w.-]+)(?![\w.-])["']?[^>\n]*>/i;
const closingTag = '</(?:｜DSML｜|[a-z]+:)?(?:parameter|param|arg(?:ument)?)>';
/**
 * The end of a value. Only a closing tag that more markup follows counts, since values hold any text. If it is missing,
 * the next parameter or the end of the call ends the value.
 */
const ending = new RegExp(
  `(?<tag>${closingTag}(?=\\s*(?:<(?:｜DSML｜|[a-z]+:)?(?:parameter|param|arg)|</(?:｜DSML｜|[a-z]+:|longcat_)?(?:function|invoke|tool|function_calls?)|$)))` +
    '|<parameter=|</function>|</(?:｜DSML｜|[a-z]+:)?invoke>',
  'gi',
);

/** `<parameter=key>value</parameter>` and `<parameter name="key">value</parameter>`, as many as follow each other. */
export function readParameterTags(
  text: string,
  from: number,
  name: string,
  tools: Tools,
): { readonly call: FoundCall; readonly end: number } {
  const parameters: { key: string; text: string }[] = [];
  let at = from;
  for (;;) {
    const start = skipSpace(text, at);
    const opened = matchAt(parameter, text, start);
    if (!opened) break;
    const valueStart = start + opened[0].length;
    const ending = endOf(text, valueStart);
    if (!ending) return { call: truncatedCall(name, text.slice(start)), end: text.length };
    const value = text
      .slice(valueStart, ending.from)
      .replace(/^\r?\n/, '')
      .replace(/\r?\n$/, '');
    parameters.push({ key: opened[1]!, text: value });
    at = ending.to;
  }
  // Without a closing tag, the call may be truncated.
  const rest = text.slice(at).trimStart();
  if (rest === '' || /^(?:<[^>]*|`{1,3}\w*\s*)$/.test(rest)) {
    return { call: truncatedCall(name, text.slice(from)), end: text.length };
  }
  return { call: callWith(name, parameters, tools), end: at };
}

function endOf(text: string, from: number): { readonly from: number; readonly to: number } | undefined {
  ending.lastIndex = from;
  const found = ending.exec(text);
  if (!found) return undefined;
  const { index, groups } = found;
  if (groups!['tag'] !== undefined) return { from: index, to: index + found[0].length };
  return { from: from + text.slice(from, index).trimEnd().length, to: index };
}
