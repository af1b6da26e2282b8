import type { BoundValue } from '../evaluate.ts';
import type { Frame, FrameKind, LexState } from './state.ts';
import { hasHidden, quote, showHiddenInLines } from '../quote.ts';
import type { RefusalCode } from '../refusal.ts';
import { isInert } from '../template/template.ts';

/** Places whose content a shell evaluates, with what to write instead. */
const evaluated: Partial<
  Record<
    FrameKind,
    { readonly code: RefusalCode; readonly where: string; readonly why?: string; readonly instead: string }
  >
> = {
  parameter: {
    code: 'value-in-expansion',
    where: '${ }',
    instead: 'assign it to a variable first: x={{…}}; … "${x#…}"',
  },
  arithmetic: {
    code: 'value-in-arithmetic',
    where: '$(( )) or (( ))',
    instead: 'declare the parameter as integer or number',
  },
  condition: { code: 'value-in-condition', where: '[[ ]]', instead: 'use [ ] with one = sign' },
  backtick: { code: 'value-in-backticks', where: 'backticks', instead: 'use $( )' },
  comment: {
    code: 'value-in-comment',
    where: 'a comment, which begins with the # before it',
    why: 'where its first line break would begin a command',
    instead: 'leave it out, or quote the word with the # if it is no comment: "#{{…}}"',
  },
};
/** Neither numbers nor confirmation make these possible: the shell parses them before it knows any value. */
const neverSubstituted: readonly FrameKind[] = ['backtick', 'comment'];

/** Puts a reference in place of the value: no byte of the value becomes part of the script. */
export function bindValue(state: LexState, value: BoundValue): void {
  state.bound.push(value);
  const frame = state.top;
  checkPlace(state, value, frame);
  state.index++;
  if (value.spreads) return bindItems(state, value, frame);

  const startsWord = frame.kind === 'command' && !frame.word;
  if (value.texts === null && (frame.kind === 'single' || startsWord)) return;
  if (frame.heredoc) frame.heredoc.atLineStart = false;
  const text = value.texts?.[0] ?? '';
  write(state, frame.kind, text);
  const { holder } = state;
  if (holder.kind === 'command')
    state.wordOf(holder).pieces.push(value.texts ? value : { kind: 'literal', text: '', quoted: true });
}

function checkPlace(state: LexState, value: BoundValue, frame: Frame): void {
  const kind = frame.kind === 'double' || frame.kind === 'single' ? state.holder.kind : frame.kind;
  const place = evaluated[kind];
  const waived = isInert(value.parameter) || value.parameter.unsafe === true;
  if (place && (neverSubstituted.includes(kind) || !waived))
    state.refuse(
      place.code,
      `{{${value.name}}} is inside ${place.where}, ${place.why ?? 'where it would be evaluated as code'}; ${place.instead}`,
    );
  if (frame.heredoc?.quoted)
    state.refuse(
      'value-in-quoted-heredoc',
      `{{${value.name}}} is in a here-document with a quoted delimiter, where nothing is replaced; write <<${frame.heredoc.delimiter} without quotes`,
    );
  if (value.spreads && !(frame.kind === 'command' && !frame.word && !frame.operator && isWholeWord(state)))
    state.refuse(
      'array-inside-word',
      `the array {{${value.name}}} must be a word of its own, unquoted, between spaces; to put its items into text write {{#each ${value.name}}}…{{this}}…{{/each}}`,
    );
}

/** Whether a word ends after the next value. */
function isWholeWord(state: LexState): boolean {
  let ahead = 1;
  while (state.isEdgeAt(ahead)) ahead++;
  const next = state.peek(ahead);
  return !state.valueAt(ahead) && (next === undefined || /[\s;|&)<>]/.test(next));
}

function bindItems(state: LexState, value: BoundValue, frame: Frame): void {
  (value.texts ?? []).forEach((text, k) => {
    if (k > 0) state.write(' ');
    write(state, 'command', text);
    state.wordOf(frame).pieces.push({ ...value, texts: [text] });
    state.endWord(frame);
  });
}

function write(state: LexState, kind: FrameKind, text: string): void {
  const reference = state.reference(text);
  switch (kind) {
    case 'command':
    case 'condition':
      state.script += `"${reference}"`;
      state.display += quote(text);
      return;
    case 'single':
      state.script += `'"${reference}"'`;
      state.display += hasHidden(text) ? `'${quote(text)}'` : text.replaceAll("'", `'\\''`);
      return;
    case 'double':
      state.script += reference;
      state.display += hasHidden(text) ? `"${quote(text)}"` : text.replace(/["$`\\]/g, '\\$&');
      return;
    default:
      state.script += reference;
      state.display += showHiddenInLines(text.replace(/[$`\\]/g, '\\$&'));
  }
}
