import { splitUnopened } from '../thinking.ts';
import { matchAt, type CallFormat, type FoundCall, type Reading, type Tools } from './format.ts';
import { formats } from './formats.ts';
import { toolTag } from './formats/tool-tag.ts';
import { controlOpenings, endOfControl } from './control-tokens.ts';
import { withLeftOver } from './left-over.ts';
import { createSeek, endOfSpan, type Seek, type Span } from './seek.ts';
import { isReadable, readUnreadable } from './unreadable.ts';

/** An answer taken apart. */
export interface TextAnswer {
  /** Without calls, thoughts and control tokens. */
  readonly text: string;
  readonly calls: readonly FoundCall[];
  /** A call is the last thing in it. */
  readonly endsInCall: boolean;
}

/** What is shown, quoted or explained: nothing in it is a call. */
const shown: readonly Span[] = [
  { opening: /<(?:examples?|code|pre)>/, closing: /<\/(?:examples?|code|pre)>/ },
  { opening: /(?<=^|\n)[ \t]*```/, closing: /```|$/ },
];
const shownLine = /(?<!`)`[^`\n]+`(?!`)|(?<=^|\n)[ \t]*>[^\n]*/;
/** Models go on and make up the results of their calls, and further calls upon those. */
const madeUp =
  /<tool_(?:response|results?|output)>|<function_results?>|<｜tool▁outputs▁begin｜>|\[TOOL_RESULTS\]|<\|im_start\|>|<\|start_header_id\|>|\n[ \t]*Observation:/;

const anything = new RegExp(
  [...shown, ...formats]
    .map(({ opening }) => opening)
    .concat(controlOpenings, shownLine, madeUp)
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
  const patience = { left: mostMistaken };
  const pieces: string[] = [];
  const calls: FoundCall[] = [];
  let from = 0;
  let at = 0;
  for (;;) {
    anything.lastIndex = at;
    const found = anything.exec(text);
    if (!found) break;
    at = found.index;
    if (calls.length > 0 && matchAt(madeUp, text, at)) {
      pieces.push(text.slice(from, at));
      from = text.length;
      break;
    }
    const reading = isQuote(text, at) ? undefined : readAt(text, at, tools, { patience, wanted });
    const end = reading?.end ?? endOfControl(text, at, seek);
    if (end !== undefined) {
      pieces.push(text.slice(from, at));
      calls.push(...(reading?.calls ?? []));
      at = end;
      from = at;
    } else at = endOfShown(text, at, seek) ?? at + 1;
  }
  pieces.push(text.slice(from));
  return {
    text: join(pieces),
    calls: allOrNone(calls),
    endsInCall: calls.length > 0 && pieces.at(-1)!.trim() === '',
  };
}

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

const endOfShown = (text: string, at: number, seek: Seek): number | undefined =>
  endOfSpan(shown, text, at, seek) ?? endOfMatch(shownLine, text, at);

function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  const found = matchAt(pattern, text, at);
  return found && at + found[0].length;
}

/** Markup right after a quotation mark is spoken of. */
const isQuote = (text: string, at: number): boolean => /["'“‘«]/.test(text[at - 1] ?? '');

/** Text before and after a call, as paragraphs. */
function join(pieces: readonly string[]): string {
  return pieces
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .join('\n\n');
}
