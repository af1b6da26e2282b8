import { matchAt, type Tools } from './format.ts';
import { readBroken } from './formats/bare-json.ts';
import { afterJson } from './formats/fenced.ts';
import { readJson } from './lenient-json.ts';
import { readPythonCalls } from './python-call.ts';
import { readCalls } from './read-calls.ts';

/** May begin a call anywhere: held back to the end of the reply. */
const markup = [
  '<tool',
  '<function',
  '<invoke',
  '<longcat_',
  '<start_function_call',
  '<start_of_turn',
  '<end_of_turn',
  '<think',
  '</think',
  '<seed:',
  '</seed:',
  '</s>',
  '<eos>',
  '<turn|>',
  '<channel|>',
  '<|',
  '<｜',
  '◁',
  '[tool_call',
  '[think]',
  '[unused1',
  'function call<|',
  'functools[',
  '>>>',
  '->',
  '✿function✿',
  'call:',
];
/** Remains of markup at the start of a reply when a server strips tokens. */
const starts = [
  'commentary to=',
  'assistantcommentary to=',
  'analysis to=',
  'assistantanalysis to=',
  'to=functions.',
  'function<｜tool',
  'function<|tool',
];
/** A tag for calls in any namespace. */
const namespaced = /<[a-z]\w*(?::[a-z_]*)?$|<[a-z]\w*:(?:tool|function|invoke)/i;
/** May begin a call at the start of a line: held back until complete, and shown if it isn't one. */
const blockStart = /```|\{|\[\s*(?:[A-Za-z_][\w.-]*\(|\{)|Action:/;
/** An incomplete `blockStart` at the end of the text. */
const partialBlock = /(?:`{1,2}|\[\s*[\w.-]*|A|Ac|Act|Acti|Actio|Action)$/;

const suspects = /[<[◁✿]|(?<=(?:^|\n)[ \t]*)[`{AfC>-]/g;

export interface StreamBuffer {
  /** Takes a piece of a reply, and returns the text that can be shown now. */
  add(piece: string): string;
  /** Everything shown so far. */
  readonly shown: string;
}

/** Passes on what is certainly text, and holds back what may be the markup of a call. */
export function createStreamBuffer(tools: Tools): StreamBuffer {
  let text = '';
  let sure = 0;
  // Shown text is trimmed at the start, and at the end of what is certain.
  let shownFrom = -1;
  let shownTo = 0;
  let lookedTo = 0;
  let lookAgainAt = 0;
  return {
    add(piece) {
      text += piece;
      if (text.length < lookAgainAt) return '';
      sure = sureUpTo(text, sure, tools);
      // A long block is scanned again only when it has grown by a share, to avoid quadratic cost.
      lookAgainAt = text.length + (text.length - sure) / 16;
      const from = shownTo;
      // Trailing space may precede a call, and is then dropped.
      for (; lookedTo < sure; lookedTo++) {
        if (/\s/.test(text[lookedTo]!)) continue;
        if (shownFrom < 0) shownFrom = lookedTo;
        shownTo = lookedTo + 1;
      }
      return text.slice(Math.max(from, shownFrom), shownTo);
    },
    get shown() {
      return text.slice(Math.max(0, shownFrom), shownTo);
    },
  };
}

/** Index up to which `text` certainly holds no call, scanning from `from`. */
function sureUpTo(text: string, from: number, tools: Tools): number {
  if (from === 0 && beginsAsCall(text, tools)) return 0;
  suspects.lastIndex = from;
  for (let found = suspects.exec(text); found; found = suspects.exec(text)) {
    const at = found.index;
    const rest = text.slice(at, at + 60).toLowerCase();
    if (markup.some((marker) => rest.startsWith(marker) || marker.startsWith(rest))) return at;
    if (matchAt(namespaced, text, at) || isElement(text, at, tools)) return at;
    if (!beginsLine(text, at)) continue;
    if (matchAt(blockStart, text, at)) {
      const end = endOfBlock(text, at, tools);
      if (end === undefined || readCalls(text.slice(at, end), tools).calls.length > 0) return at;
      suspects.lastIndex = end;
    } else if (at + rest.length === text.length && matchAt(partialBlock, text, at)) return at;
  }
  return text.length;
}

/** `<read_file>` of a known tool, or an incomplete name. */
function isElement(text: string, at: number, tools: Tools): boolean {
  const [, name = '', next] = matchAt(/<([A-Za-z_][\w.-]*)([\s\S])?/, text, at) ?? [];
  return name !== '' && beginsLine(text, at) && (next === undefined || (next === '>' && tools.has(name)));
}

function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before--;
  return before < 0 || text[before] === '\n';
}

/** `name(…` or `name{…` of a known tool, or an incomplete name. */
function beginsAsCall(text: string, tools: Tools): boolean {
  const start = text.trimStart().slice(0, 30).toLowerCase();
  if (starts.some((marker) => start.startsWith(marker) || marker.startsWith(start))) return true;
  const [, name = '', next] = /^\s*([A-Za-z_][\w.-]*)\s*(\S)?/.exec(text) ?? [];
  return name !== '' && (next === undefined || ('({'.includes(next) && tools.has(name)));
}

/** Index after a code block, an object or a list, or after its first character when it isn't one; undefined while incomplete. */
function endOfBlock(text: string, at: number, tools: Tools): number | undefined {
  if (text.startsWith('```', at)) {
    const line = text.indexOf('\n', at);
    const closed = line < 0 ? -1 : text.indexOf('```', afterJson(text, line));
    return closed < 0 ? undefined : closed + 3;
  }
  if (text.startsWith('Action:', at)) return undefined;
  const isPython = matchAt(/\[\s*\w[\w.-]*\(/, text, at);
  const read = isPython ? readPythonCalls(text, at, tools) : readJson(text, at);
  if (read === 'cut' || (!read && !isPython && readBroken(text, at, tools))) return undefined;
  return read?.end ?? at + 1;
}
