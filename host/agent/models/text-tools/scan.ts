import { beginsThoughts, controlOpenings, endOfControl, turnsOfOthers } from './control-tokens.ts';
import { withProblem } from './call-shape.ts';
import { matchAt, type CallFormat, type FoundCall, type Reading, type Tools } from './format.ts';
import { formats } from './formats.ts';
import { toolTag } from './formats/tool-tag.ts';
import { withLeftOver } from './left-over.ts';
import { createSeek } from './seek.ts';
import type { Range } from './skeleton.ts';
import { isReadable, readUnreadable } from './unreadable.ts';
import { createShown, isQuoted, shownOpenings, whyNoStatement, type Shown } from './where-calls-stand.ts';

/** What stands in an answer, in order. */
export interface Scan {
  /** What is neither a call, nor a thought or a token. */
  readonly pieces: readonly Range[];
  /** What of it is only shown. */
  readonly shown: readonly Range[];
  readonly found: readonly Found[];
  /** Where results are made up, if they are. */
  readonly madeUpFrom: number;
  /** Where thoughts begin that never end, if they do. */
  readonly thinksFrom: number;
  /** Where a turn of somebody else is made up, if one is. */
  readonly othersFrom: number;
}

/** Calls that stand together. */
export interface Found {
  readonly at: number;
  readonly calls: readonly FoundCall[];
  /** So many pieces of text stand before it. */
  readonly pieces: number;
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

/** Finds the calls of an answer, wherever they stand. `wanted`: the formats that count in it. */
export function scan(text: string, tools: Tools, wanted: readonly CallFormat[]): Scan {
  const seek = createSeek(text);
  const shownFrom = createShown(text, seek);
  const patience = { left: mostMistaken };
  const pieces: Range[] = [];
  const found: Found[] = [];
  const shown: Range[] = [];
  let unclear: Shown | undefined;
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
    const read = readAt(text, at, tools, { patience, wanted });
    const quoted = read !== undefined && isQuoted(text, at);
    const reading = quoted ? undefined : read;
    const end = reading?.end ?? endOfControl(text, at, seek);
    if (end !== undefined) {
      // The indent of a call tells what it belongs to.
      pieces.push({ from, to: reading ? at + matchAt(/[ \t]*/, text, at)![0].length : at });
      if (reading) {
        const inside = unclear && at < unclear.end ? unclear.unclear : undefined;
        const why = inside ?? whyNoStatement(text, { from, at, end });
        const calls = why === undefined ? reading.calls : withProblem(reading.calls, notStated(why));
        found.push({ at, calls, pieces: pieces.length });
      } else if (end - at < longestMark && beginsThoughts(text, at)) thinksFrom = Math.min(thinksFrom, at);
      at = end;
      // Some formats read the space after a call as well, which tells whether text follows on its line.
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
    othersFrom: found.length > 0 ? othersTurn(text, shown) : Infinity,
  };
}

function othersTurn(text: string, shown: readonly Range[]): number {
  const starts = turnsOfOthers(text).values();
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

/** Characters of a mark that begins thoughts; with their end it's longer. */
const longestMark = 60;

export const notStated = (why: string): string =>
  `${why}, and a call runs where it stands alone, on lines of its own, at the end of the reply (in a code block of four backticks it is shown and not run)`;

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
