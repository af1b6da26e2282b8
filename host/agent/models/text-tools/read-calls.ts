import { splitUnopened } from '../thinking.ts';
import { matchAt, type FoundCall, type Reading, type Tools } from './format.ts';
import { formats } from './formats.ts';
import { withLeftOver } from './left-over.ts';
import { createSeek, endOfSpan, type Seek, type Span } from './seek.ts';

/** An answer taken apart. */
export interface TextAnswer {
  /** Without calls, thoughts and control tokens. */
  readonly text: string;
  readonly calls: readonly FoundCall[];
  /** A call is the last thing in it. */
  readonly endsInCall: boolean;
}

/** Thoughts. */
const thoughts: readonly Span[] = [
  { opening: /<think(?:ing)?>/, closing: /<\/think(?:ing)?>/ },
  { opening: /\[THINK\]/, closing: /\[\/THINK\]/ },
  {
    opening: /(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>/,
    closing: /<\|end\|>|(?=<\|start\|>)/,
  },
];
/** Tokens that servers should have kept to themselves. */
const tokens =
  /(?:<\|start\|>assistant)?<\|channel\|>(?:final|commentary)<\|message\|>|<\|(?:end|return|im_end|eot_id|eom_id|start)\|>|<think(?:ing)?>/;
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
  [...thoughts, ...shown, ...formats]
    .map(({ opening }) => opening)
    .concat(tokens, shownLine, madeUp)
    .map(({ source }) => source)
    .join('|'),
  'g',
);

const anyOpening = new RegExp(formats.map(({ opening }) => opening.source).join('|'));

/** So much markup of calls in which there is none is somebody's joke: none is looked for after it. */
const mostMistaken = 200;

/** Reads the calls out of an answer. */
export function readCalls(answer: string, tools: Tools): TextAnswer {
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
    const reading = isQuote(text, at) ? undefined : readAt(text, at, tools, patience);
    const end = reading?.end ?? endOfDropped(text, at, seek);
    if (end !== undefined) {
      pieces.push(text.slice(from, at));
      calls.push(...(reading?.calls ?? []));
      at = end;
      from = at;
    } else at = endOfShown(text, at, seek) ?? at + 1;
  }
  pieces.push(text.slice(from));
  return { text: join(pieces), calls, endsInCall: calls.length > 0 && pieces.at(-1)!.trim() === '' };
}

function readAt(text: string, at: number, tools: Tools, patience: { left: number }): Reading | undefined {
  for (const format of formats) {
    if (format.unmistakable && patience.left <= 0) continue;
    if (!matchAt(format.opening, text, at)) continue;
    const reading = format.read(text, at, tools);
    if (reading && (format.unmistakable || reading.calls.every(({ name }) => tools.has(name))))
      return withLeftOver(text, at, reading, { opening: anyOpening, tools });
    if (format.unmistakable) patience.left--;
  }
  return undefined;
}

const endOfDropped = (text: string, at: number, seek: Seek): number | undefined =>
  endOfSpan(thoughts, text, at, seek) ?? endOfMatch(tokens, text, at);

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
