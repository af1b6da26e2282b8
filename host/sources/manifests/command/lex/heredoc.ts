import { dollar } from './expansion.ts';
import { openFrame, type LexState } from './state.ts';

/** Reads what follows `<<`. The document itself begins on the next line. */
export function beginHeredoc(state: LexState, tabs: boolean): void {
  if (state.frames.length > 1)
    state.refuse(
      'unsupported-syntax',
      'here-documents inside $( ) or ( ) are not supported; put it in a script file',
    );
  while (state.peek() === ' ' || state.peek() === '\t') state.take();
  let delimiter = '';
  let quoted = false;
  for (let next = state.peek(); next !== undefined && !/[\s;&|<>()]/.test(next); next = state.peek()) {
    if (`'"\\`.includes(next)) quoted = true;
    else if (/[\w.-]/.test(next)) delimiter += next;
    else state.refuse('unsupported-syntax', 'the delimiter of a here-document must be a plain word: <<EOF');
    state.take();
  }
  if (state.valueAt(0))
    state.refuse(
      'value-in-heredoc-delimiter',
      'a value cannot be the delimiter of a here-document; write a plain word: <<EOF',
    );
  if (delimiter === '')
    state.refuse('unsupported-syntax', 'a here-document needs a delimiter; write a plain word: <<EOF');
  state.pending.push(openFrame('heredoc', { heredoc: { delimiter, quoted, tabs, atLineStart: true } }));
}

export function inHeredoc(state: LexState, character: string): void {
  const heredoc = state.top.heredoc!;
  if (heredoc.atLineStart) {
    if (endHeredoc(state)) return;
    heredoc.atLineStart = false;
  }
  if (character === '\n') heredoc.atLineStart = true;
  if (heredoc.quoted) return state.take();
  if (character === '\\') {
    if (state.peek(1) === undefined)
      state.refuse(
        'backslash-before-value',
        'a backslash is directly before a value; drop it, values need no escaping',
      );
    if (state.peek(1) === '\n') heredoc.atLineStart = true;
    return state.take(2);
  }
  if (character === '$') return dollar(state, true);
  if (character === '`') state.push(openFrame('backtick'));
  state.take();
}

/** Consumes the line if it is the delimiter. */
function endHeredoc(state: LexState): boolean {
  const { delimiter, tabs } = state.top.heredoc!;
  let line = '';
  let length = 0;
  let touchesBlock = false;
  for (; ; length++) {
    if (state.isEdgeAt(length)) {
      touchesBlock = true;
      continue;
    }
    const next = state.peek(length);
    if (next === undefined || next === '\n') break;
    line += next;
  }
  if (state.valueAt(length) || (tabs ? line.replace(/^\t+/, '') : line) !== delimiter) return false;
  if (touchesBlock)
    state.refuse(
      'quote-crosses-block',
      'the end of a here-document touches the edge of a block; put the whole document inside the block or outside',
    );
  state.take(length);
  state.pop();
  const next = state.pending.shift();
  if (next) {
    if (state.peek() !== undefined) state.take();
    state.push(next);
  }
  return true;
}
