import { matchAt, skipSpace, type Tools } from '../format.ts';
import { toArgumentsText } from '../typed-value.ts';
import { cutOff } from './json-body.ts';

const parameter = /<(?:｜DSML｜|antml:)?parameter(?:=|\s+name=)["']?([\w.-]+)["']?[^>\n]*>/;
const closingTag = '</(?:｜DSML｜|antml:)?parameter>';
/** Only an end tag after which the markup goes on ends a value: values hold all kinds of text. */
const realClosing = new RegExp(
  `${closingTag}(?=\\s*(?:<(?:｜DSML｜|antml:)?parameter|</(?:｜DSML｜|antml:)?(?:function|invoke|tool_call|function_calls?)|$))`,
  'g',
);
/** Where a value ends whose end tag was forgotten. */
const forgotten = /\s*(?=<parameter=|<\/function>|<\/(?:｜DSML｜|antml:)?invoke>)/g;

/** `<parameter=key>value</parameter>` and `<parameter name="key">value</parameter>`, as many as follow each other. */
export function readParameterTags(
  text: string,
  from: number,
  name: string,
  tools: Tools,
): { readonly argumentsText: string; readonly end: number } {
  const parameters: { key: string; text: string }[] = [];
  let at = from;
  for (;;) {
    const start = skipSpace(text, at);
    const opened = matchAt(parameter, text, start);
    if (!opened) break;
    const valueStart = start + opened[0].length;
    const ending = endOf(text, valueStart);
    if (!ending) return { argumentsText: cutOff(name, text.slice(start)).arguments, end: text.length };
    const value = text
      .slice(valueStart, ending.from)
      .replace(/^\r?\n/, '')
      .replace(/\r?\n$/, '');
    parameters.push({ key: opened[1]!, text: value });
    at = ending.to;
  }
  // Without an end tag more might have come.
  const rest = text.slice(at).trimStart();
  if (rest === '' || /^<[^>]*$/.test(rest)) {
    return { argumentsText: cutOff(name, text.slice(from)).arguments, end: text.length };
  }
  return { argumentsText: toArgumentsText(name, parameters, tools), end: at };
}

function endOf(text: string, from: number): { readonly from: number; readonly to: number } | undefined {
  realClosing.lastIndex = from;
  const closed = realClosing.exec(text);
  forgotten.lastIndex = from;
  const next = forgotten.exec(text);
  // A value that holds the beginning of another parameter is closed before it, or was forgotten to be.
  if (closed && (!next || closed.index <= next.index)) {
    return { from: closed.index, to: closed.index + closed[0].length };
  }
  return next ? { from: next.index, to: next.index + next[0].length } : undefined;
}
