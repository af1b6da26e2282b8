import { callsOf, withProblem } from './call-shape.ts';
import { matchAt, type Reading, type Tools } from './format.ts';
import { readJson } from './lenient-json.ts';

/** What ends markup of calls, whoever's it is. */
const closing =
  /<\/(?:｜DSML｜|antml:)?(?:tool_calls?|toolcall|TOOLCALL|tool_use|function_calls?|function|invoke|parameter|arg_value|minimax:tool_call)>|<\|\/?(?:tool_calls?(?:_end|_section_end)?|END_ACTION|action_end|call|python_end|eom_id|eot_id|eot)\|>|<end_function_call>|<tool_call\|>|<[｜|]tool[▁_]calls?[▁_]end[｜|]>|\[\/TOOL_CALLS?\]/;
const closed = new RegExp(`(?:${closing.source})$`);
/** A further value, as if it belonged to the call. */
const anotherValue = /[ \t]*[,;]?\s*(?=\{\s*["'\w}]|\[\s*[{"'\]])/;
/** Markup is never closed further away than this. */
const farthest = 2_000;

/**
 * A call doesn't run when its markup holds more than was read, up to its end tag, or when a further value follows it: it
 * may be what the call was meant to be limited by. `opening`: where another call may begin.
 */
export function withLeftOver(
  text: string,
  at: number,
  reading: Reading,
  { opening, tools }: { readonly opening: RegExp; readonly tools: Tools },
): Reading {
  if (reading.calls.length === 0 || isClosed(text, at, reading.end)) return reading;
  const rest = text.slice(reading.end, reading.end + farthest);
  const end = closing.exec(rest);
  const between = rest.slice(0, end?.index ?? 0);
  const isInside = end !== null && between.trim() !== '' && between.search(opening) < 0;
  if (!isInside && !isFollowedByValue(text, reading.end, tools)) return reading;
  const said = (isInside ? between : rest).trim().split('\n', 1)[0]!.slice(0, 80);
  const problem = `after its arguments stands ${JSON.stringify(said)}, and everything for the tool belongs into them`;
  const length = isInside ? end.index + end[0].length : 0;
  return { calls: withProblem(reading.calls, problem), end: reading.end + length };
}

function isClosed(text: string, at: number, end: number): boolean {
  return closed.test(text.slice(Math.max(at, end - 100), end).trimEnd());
}

/** By one that is no call of its own. */
function isFollowedByValue(text: string, from: number, tools: Tools): boolean {
  const found = matchAt(anotherValue, text, from);
  if (!found) return false;
  const read = readJson(text, from + found[0].length);
  return read === 'cut' || (read !== undefined && callsOf(read, tools, false) === undefined);
}
