import { dollar } from './expansion.ts';
import { openFrame, type LexState } from './state.ts';
import { substitution } from './words.ts';

export function inSingleQuotes(state: LexState, character: string): void {
  if (state.takePlain(true)) return;
  if (character === "'") state.pop();
  else state.addLiteral(character, true);
  state.take();
}

export function inDoubleQuotes(state: LexState, character: string): void {
  if (state.takePlain(true)) return;
  if (quoteOrExpansion(state, character)) return;
  state.addLiteral(character, true);
  state.take();
}

/** Consumes `\`, `$`, a backtick or a double quote, which mean the same inside and outside double quotes. */
export function quoteOrExpansion(state: LexState, character: string): boolean {
  const quoted = state.top.kind === 'double';
  switch (character) {
    case '\\':
      backslash(state, quoted);
      return true;
    case '$':
      dollar(state, quoted);
      return true;
    case '`':
      state.needShell('backticks');
      state.addExpansion(substitution);
      state.push(openFrame('backtick'));
      state.take();
      return true;
    case '"':
      if (quoted) state.pop();
      else {
        state.addLiteral('', true);
        state.push(openFrame('double'));
      }
      state.take();
      return true;
    default:
      return false;
  }
}

function backslash(state: LexState, quoted: boolean): void {
  const next = state.peek(1);
  if (next === undefined)
    return state.refuse(
      'backslash-before-value',
      'a backslash is directly before a value, a block or the end; drop it, values need no escaping',
    );
  state.take(2);
  if (next === '\n') return state.needShell('a continued line');
  state.addLiteral(quoted && !'$`"\\'.includes(next) ? `\\${next}` : next, true);
}
