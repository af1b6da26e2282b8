import { callsOf, withProblem } from './call-shape.ts';
import { matchAt, type ParsedCalls, type Tools } from './format.ts';
import { readJson } from './lenient-json.ts';

/** The closing markup of calls in any format. */
export const closing =
  /<\/(?:｜DSML｜|[a-z]\w*:|longcat_)?(?:tool[_-]?calls?|tool_use|function[_-]?calls?|function|invoke|param|parameter|(?:longcat_)?arg_value|tool|action|tool_input|args)>|<\|\/?(?:tool_calls?(?:_end|_section_end)?|tools_suffix|END_ACTION|action_end|message_sep|call|stop|python_end|eom_id|eot_id|eot)\|>|<end_function_call>|<tool_call\|>|<[｜|]tool[▁_]calls?[▁_]end[｜|]>|\[\/TOOL_CALLS?\]|\[unused12\]/i;
const closed = new RegExp(`(?:${closing.source})$`, 'i');
/** Another value directly after the call. */
const anotherValue = /[ \t]*[,;]?\s*(?=\{\s*["'\w}]|\[\s*[{"'\]])/;
/** Maximum number of characters in which the closing markup is searched for. */
const maxRemainderLength = 2_000;

/**
 * A call doesn't run when its markup holds more than was parsed, or another value follows it, since that may be meant
 * to limit the call. `opening`: where another call may begin.
 */
export function checkRemainder(
  text: string,
  at: number,
  reading: ParsedCalls,
  { opening, tools }: { readonly opening: RegExp; readonly tools: Tools },
): ParsedCalls {
  if (reading.calls.length === 0 || isClosed(text, at, reading.end)) return reading;
  const rest = text.slice(reading.end, reading.end + maxRemainderLength);
  const end = closing.exec(rest);
  const between = rest.slice(0, end?.index ?? 0);
  const isInside =
    end !== null && between.trim() !== '' && !beginsWithin(opening, text, reading.end, between.length);
  if (!isInside && !isFollowedByValue(text, reading.end, tools)) return reading;
  const said = (isInside ? between : rest).trim().split('\n', 1)[0]!.slice(0, 80);
  const problem = `${JSON.stringify(said)} follows its arguments, and everything for the tool belongs inside them`;
  const length = isInside ? end.index + end[0].length : 0;
  return { calls: withProblem(reading.calls, problem), end: reading.end + length };
}

/**
 * Whether another call begins there. Matched against the whole text, since some formats are only valid at its start.
 */
function beginsWithin(opening: RegExp, text: string, from: number, length: number): boolean {
  const global = new RegExp(opening.source, 'gi');
  global.lastIndex = from;
  const found = global.exec(text.slice(0, from + length));
  return found !== null;
}

function isClosed(text: string, at: number, end: number): boolean {
  return closed.test(text.slice(Math.max(at, end - 100), end).trimEnd());
}

/** Whether a value that is not a call follows. */
function isFollowedByValue(text: string, from: number, tools: Tools): boolean {
  const found = matchAt(anotherValue, text, from);
  if (!found) return false;
  const read = readJson(text, from + found[0].length);
  return read === 'cut' || (read !== undefined && callsOf(read, tools, false) === undefined);
}
