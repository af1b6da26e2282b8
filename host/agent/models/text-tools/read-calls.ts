import { splitUnopened } from '../thinking.ts';
import { matchAt, type CallFormat, type FoundCall, type Reading, type Tools } from './format.ts';
import { formats } from './formats.ts';
import { toolTag } from './formats/tool-tag.ts';
import { withProblem } from './call-shape.ts';
import { beginsThoughts, controlOpenings, endOfControl } from './control-tokens.ts';
import { withLeftOver } from './left-over.ts';
import { createSeek } from './seek.ts';
import { isReadable, readUnreadable } from './unreadable.ts';
import {
  createShown,
  isQuoted,
  isUnsaid,
  shownOpenings,
  whyNoStatement,
  type Shown,
} from './where-calls-stand.ts';

/** An answer taken apart. */
export interface TextAnswer {
  /** Without calls, thoughts and control tokens. */
  readonly text: string;
  readonly calls: readonly FoundCall[];
  /** A call is the last thing in it. */
  readonly endsInCall: boolean;
}

/** Models go on and make up the results of their calls, and further calls upon those. */
const madeUp =
  /<tool_(?:response|results?|output)>|<function_results?>|<｜tool▁outputs▁begin｜>|\[TOOL_RESULTS\]|<\|im_start\|>|<\|start_header_id\|>|\n[ \t]*Observation:/;

const anything = new RegExp(
  formats
    .map(({ opening }) => opening)
    .concat(controlOpenings, shownOpenings, madeUp)
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

const anyOpening = new RegExp(formats.map(({ opening }) => opening.source).join('|'), 'i');

/** So much markup of calls in which there is none is somebody's joke: none is looked for after it. */
const mostMistaken = 200;

/** The text without thoughts and control tokens, whatever calls it may hold. */
export function withoutControlTokens(answer: string): string {
  const { text } = readCalls(answer, noTools, []);
  return text === answer.trim() ? answer : text;
}

const noTools: Tools = { has: () => false, properties: () => undefined, ended: true };

/** Reads the calls out of an answer. `wanted`: the formats that count in it. */
export function readCalls(answer: string, tools: Tools, wanted: readonly CallFormat[] = formats): TextAnswer {
  const text = splitUnopened(answer)?.text ?? answer;
  const seek = createSeek(text);
  const shownFrom = createShown(text, seek);
  const patience = { left: mostMistaken };
  const pieces: string[] = [];
  const found: Found[] = [];
  let unclear: Shown | undefined;
  /** Thoughts that never end begin here. */
  let thinksFrom = Infinity;
  let from = 0;
  let at = 0;
  for (;;) {
    anything.lastIndex = at;
    const opening = anything.exec(text);
    if (!opening) break;
    at = opening.index;
    if (found.length > 0 && matchAt(madeUp, text, at)) {
      pieces.push(text.slice(from, at));
      from = text.length;
      break;
    }
    const reading = isQuoted(text, at) ? undefined : readAt(text, at, tools, { patience, wanted });
    const end = reading?.end ?? endOfControl(text, at, seek);
    if (end !== undefined) {
      pieces.push(text.slice(from, at));
      if (reading) {
        const inside = unclear && at < unclear.end ? unclear.unclear : undefined;
        const why = inside ?? whyNoStatement(text, { from, at, end });
        const calls = why === undefined ? reading.calls : withProblem(reading.calls, notStated(why));
        found.push({ at, calls, pieces: pieces.length });
      } else if (end - at < longestMark && beginsThoughts(text, at)) thinksFrom = Math.min(thinksFrom, at);
      at = end;
      from = at;
      continue;
    }
    const shown = shownFrom(at);
    if (shown && shown.unclear === undefined) at = shown.end;
    else {
      if (shown && !(unclear && unclear.end >= shown.end)) unclear = shown;
      at++;
    }
  }
  pieces.push(text.slice(from));
  const calls = found.flatMap((one, index) => {
    const before = pieces.slice(found[index - 1]?.pieces ?? 0, one.pieces).join('');
    const after = pieces.slice(one.pieces, found[index + 1]?.pieces).join('');
    if (isUnsaid(before, after))
      return withProblem(
        one.calls,
        notStated('the words beside it make an example of it, or say not to run it'),
      );
    // A model that never left its thoughts may have called from there: then calls are the last that it thought.
    return one.at > thinksFrom && pieces.slice(one.pieces).join('').trim() !== ''
      ? withProblem(one.calls, notStated('it stands in thoughts that never end'))
      : one.calls;
  });
  return {
    text: join(pieces),
    calls: allOrNone(calls),
    endsInCall: calls.length > 0 && pieces.at(-1)!.trim() === '',
  };
}

interface Found {
  readonly at: number;
  readonly calls: readonly FoundCall[];
  /** So many pieces of text stand before it. */
  readonly pieces: number;
}

/** Characters of a mark that begins thoughts; with their end it's longer. */
const longestMark = 60;

const notStated = (why: string): string =>
  `${why}, and a call runs where it stands alone, on lines of its own, with nothing around it`;

function readAt(
  text: string,
  at: number,
  tools: Tools,
  { patience, wanted }: { readonly patience: { left: number }; readonly wanted: readonly CallFormat[] },
): Reading | undefined {
  if (!matchAt(anyOpening, text, at)) return undefined;
  let broken: CallFormat | undefined;
  for (const format of wanted) {
    const isCostly = format.unmistakable || format === toolTag;
    if (isCostly && patience.left <= 0) continue;
    if (!matchAt(format.opening, text, at)) continue;
    const reading = format.read(text, at, tools);
    if (reading && (format.unmistakable || reading.calls.every(({ name }) => tools.has(name))))
      return withLeftOver(text, at, reading, { opening: anyOpening, tools });
    if (isCostly) patience.left--;
    if (format.unmistakable) broken ??= format;
  }
  return broken && readUnreadable(text, at, broken.opening);
}

/** Calls of one answer may build upon each other: none runs where one of them can't be read. */
function allOrNone(calls: readonly FoundCall[]): readonly FoundCall[] {
  return calls.every(isReadable)
    ? calls
    : calls.map((call) => (isReadable(call) ? { ...call, problem: anotherUnreadable } : call));
}

const anotherUnreadable = "another call of the same answer can't be read, so that none of them was run";

/** Text before and after a call, as paragraphs. */
function join(pieces: readonly string[]): string {
  return pieces
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .join('\n\n');
}
