import { splitUnopened } from '../thinking.ts';
import { matchAt, type FoundCall, type Reading, type Tools } from './format.ts';
import { formats } from './formats.ts';

/** An answer taken apart. */
export interface TextAnswer {
  /** Without calls, thoughts and control tokens. */
  readonly text: string;
  readonly calls: readonly FoundCall[];
  /** A call is the last thing in it. */
  readonly endsInCall: boolean;
}

/** Thoughts, and tokens that servers should have kept to themselves. */
const dropped =
  /<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>|\[THINK\][\s\S]*?\[\/THINK\]|(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>[\s\S]*?(?:<\|end\|>|(?=<\|start\|>))|(?:<\|start\|>assistant)?<\|channel\|>(?:final|commentary)<\|message\|>|<\|(?:end|return|im_end|eot_id|eom_id|start)\|>|<think(?:ing)?>/;
/** What is shown, quoted or explained: nothing in it is a call. */
const quoted =
  /<(?:example|examples|code|pre)>[\s\S]*?<\/(?:example|examples|code|pre)>|(?<=^|\n)[ \t]*```[\s\S]*?(?:```|$)|(?<!`)`[^`\n]+`(?!`)|(?<=^|\n)[ \t]*>[^\n]*/;
/** Models go on and make up the results of their calls, and further calls upon those. */
const madeUp =
  /<tool_(?:response|results?|output)>|<function_results?>|<｜tool▁outputs▁begin｜>|\[TOOL_RESULTS\]|<\|im_start\|>|<\|start_header_id\|>|\n[ \t]*Observation:/;

const anything = new RegExp(
  [dropped, quoted, madeUp, ...formats.map(({ opening }) => opening)].map(({ source }) => source).join('|'),
  'g',
);

/** Reads the calls out of an answer. */
export function readCalls(answer: string, tools: Tools): TextAnswer {
  const text = splitUnopened(answer)?.text ?? answer;
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
    const reading = isQuote(text, at) ? undefined : readAt(text, at, tools);
    const drop = reading ? undefined : matchAt(dropped, text, at);
    if (reading || drop) {
      pieces.push(text.slice(from, at));
      calls.push(...(reading?.calls ?? []));
      at = reading ? reading.end : at + drop![0].length;
      from = at;
    } else at += matchAt(quoted, text, at)?.[0].length || 1;
  }
  pieces.push(text.slice(from));
  return { text: join(pieces), calls, endsInCall: calls.length > 0 && pieces.at(-1)!.trim() === '' };
}

function readAt(text: string, at: number, tools: Tools): Reading | undefined {
  for (const format of formats) {
    if (!matchAt(format.opening, text, at)) continue;
    const reading = format.read(text, at, tools);
    if (reading && (format.unmistakable || reading.calls.every(({ name }) => tools.has(name))))
      return reading;
  }
  return undefined;
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
