import { beginsThoughts, controlOpenings, endOfControl, foreignTurns } from './control-tokens.ts';
import { withProblem } from './call-shape.ts';
import { matchAt, type CallFormat, type FoundCall, type ParsedCalls, type Tools } from './format.ts';
import { formats } from './formats.ts';
import { toolTag } from './formats/tool-tag.ts';
import { checkRemainder } from './remainder.ts';
import { createSeek } from './seek.ts';
import type { Range } from './quoting/skeleton.ts';
import { isReadable, readUnreadable } from './unreadable.ts';
import {
  createQuotedSpans,
  isQuoted,
  shownOpenings,
  positionProblem,
  type QuotedSpan,
} from './quoting/call-position.ts';

/** The parts of a reply, in order. */
export interface ScannedReply {
  /** What is neither a call, nor a thought or a token. */
  readonly pieces: readonly Range[];
  /** The parts that are only shown. */
  readonly shown: readonly Range[];
  readonly found: readonly CallGroup[];
  /** Start of made-up results, or Infinity. */
  readonly madeUpFrom: number;
  /** Start of thoughts that never end, or Infinity. */
  readonly thinksFrom: number;
  /** Start of a made-up turn of another speaker, or Infinity. */
  readonly foreignFrom: number;
}

/** Adjacent calls. */
export interface CallGroup {
  readonly at: number;
  readonly calls: readonly FoundCall[];
  /** Number of pieces before it. */
  readonly pieces: number;
}

/** Start of results that a model makes up for its own calls. */
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

/** Parsing stops after this many pieces of markup without a call, which bounds the cost of hostile text. */
const maxFailedReads = 200;

/** Finds the calls of a reply, wherever they are. `wanted`: the formats to recognise. */
export function scan(text: string, tools: Tools, wanted: readonly CallFormat[]): ScannedReply {
  const seek = createSeek(text);
  const shownFrom = createQuotedSpans(text, seek);
  const budget = { left: maxFailedReads };
  const pieces: Range[] = [];
  const found: CallGroup[] = [];
  const shown: Range[] = [];
  let unclear: QuotedSpan | undefined;
  let thinksFrom = Infinity;
  let madeUpFrom = Infinity;
  let from = 0;
  let at = 0;
  for (;;) {
    anything.lastIndex = at;
    const opening = anything.exec(text);
    if (!opening) break;
    at = opening.index;
    if (found.length > 0 && matchAt(madeUp, text, at)) {
      madeUpFrom = at;
      break;
    }
    const read = readAt(text, at, tools, { budget, wanted });
    const quoted = read !== undefined && isQuoted(text, at);
    const reading = quoted ? undefined : read;
    const end = reading?.end ?? endOfControl(text, at, seek);
    if (end !== undefined) {
      // The indent of a call decides which block it belongs to.
      pieces.push({ from, to: reading ? at + matchAt(/[ \t]*/, text, at)![0].length : at });
      if (reading) {
        const inside = unclear && at < unclear.end ? unclear.unclear : undefined;
        const why = inside ?? positionProblem(text, { from, at, end });
        const calls = why === undefined ? reading.calls : withProblem(reading.calls, misplaced(why));
        found.push({ at, calls, pieces: pieces.length });
      } else if (end - at < maxMarkLength && beginsThoughts(text, at)) thinksFrom = Math.min(thinksFrom, at);
      at = end;
      // Some formats consume the space after a call, which decides whether text follows on its line.
      from = reading ? endOfText(text, end) : end;
      continue;
    }
    const shows = quoted && read.calls.every(isReadable) ? { end: read.end } : shownFrom(at);
    if (shows && shows.unclear === undefined) {
      shown.push({ from: at, to: shows.end });
      at = shows.end;
    } else {
      if (shows && !(unclear && unclear.end >= shows.end)) unclear = shows;
      at++;
    }
  }
  pieces.push({ from, to: Math.min(madeUpFrom, text.length) });
  return {
    pieces,
    shown,
    found,
    madeUpFrom,
    thinksFrom,
    foreignFrom: found.length > 0 ? foreignTurn(text, shown) : Infinity,
  };
}

function foreignTurn(text: string, shown: readonly Range[]): number {
  const starts = foreignTurns(text).values();
  let start = starts.next();
  for (const { from, to } of shown) {
    while (!start.done && start.value >= from && start.value < to) start = starts.next();
    if (start.done || start.value < from) break;
  }
  return start.done ? Infinity : start.value;
}

function endOfText(text: string, end: number): number {
  let at = end;
  while (/\s/.test(text[at - 1]!)) at--;
  return at;
}

/** Maximum number of characters of a mark that begins thoughts; complete thoughts are longer. */
const maxMarkLength = 60;

export const misplaced = (why: string): string =>
  `${why}, and a call only runs when it is on lines of its own at the end of the reply (in a code block of four backticks it is shown and not run)`;

function readAt(
  text: string,
  at: number,
  tools: Tools,
  { budget, wanted }: { readonly budget: { left: number }; readonly wanted: readonly CallFormat[] },
): ParsedCalls | undefined {
  if (!matchAt(anyOpening, text, at)) return undefined;
  let broken: CallFormat | undefined;
  for (const format of wanted) {
    const isCostly = format.unmistakable || format === toolTag;
    if (isCostly && budget.left <= 0) continue;
    if (!matchAt(format.opening, text, at)) continue;
    const reading = format.read(text, at, tools);
    if (reading && (format.unmistakable || reading.calls.every(({ name }) => tools.has(name))))
      return checkRemainder(text, at, reading, { opening: anyOpening, tools });
    if (isCostly) budget.left--;
    if (format.unmistakable) broken ??= format;
  }
  return broken && readUnreadable(text, at, broken.opening);
}
