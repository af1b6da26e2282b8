import { openFrame, type LexState } from './state.ts';
import { literalOf, substitution } from './words.ts';

const specialParameter = /[\w@*#?$!-]/;

/** `$name`, `$(…)`, `${…}`, `$((…))`, or a literal dollar sign. */
export function dollar(state: LexState, quoted: boolean): void {
  const value = state.valueAt(1);
  state.needShell('"$"');
  if (value)
    state.refuse(
      'dollar-before-value',
      `"$" is directly before {{${value.name}}}; write \\$ for the character, or drop it`,
    );
  if (state.isEdgeAt(1))
    state.refuse('token-across-block', '"$" is directly before the edge of a block; write \\$');
  state.take();
  const next = state.peek();
  if (next === '(') return openParenthesis(state, quoted);
  if (next === '{') {
    state.take();
    state.addExpansion(nameInBraces(state));
    return state.push(openFrame('parameter'));
  }
  if (next === '[') return state.refuse('unsupported-syntax', '$[ ] is not supported; write $(( ))');
  if ((next === "'" || next === '"') && !quoted)
    return state.refuse(
      'unsupported-syntax',
      `$${next} … ${next} differs between shells; use plain quotes, and printf for special characters`,
    );
  if (next === undefined || !specialParameter.test(next)) return state.addLiteral('$', quoted);
  state.addExpansion(takeName(state));
}

/** The variable of `$NAME`. */
function takeName(state: LexState): string {
  let name = state.peek()!;
  state.take();
  while (/^[A-Za-z_]/.test(name) && /^\w$/.test(state.peek() ?? '')) {
    name += state.peek()!;
    state.take();
  }
  state.noteVariable(name, false);
  return name;
}

/** The variable of `${name…}`. `${!name}` evaluates the content of that variable. */
function nameInBraces(state: LexState): string {
  let name = '';
  let ahead = /^[!#]$/.test(state.peek() ?? '') ? 1 : 0;
  for (; /^\w$/.test(state.peek(ahead) ?? ''); ahead++) name += state.peek(ahead)!;
  if (state.peek() === '!') state.calculations.push({ kind: 'indirection', text: name });
  else state.noteVariable(name, /^:?[-+=?]/.test(`${state.peek(ahead) ?? ''}${state.peek(ahead + 1) ?? ''}`));
  return name;
}

function openParenthesis(state: LexState, quoted: boolean): void {
  if (state.peek(1) === '(') {
    state.take(2);
    state.addExpansion(substitution);
    return state.push(openFrame('arithmetic'));
  }
  if (state.isEdgeAt(1))
    state.refuse('token-across-block', 'a block begins or ends directly after "$("; put a space between');
  state.take();
  // The shell doesn't split the value of an assignment.
  const splits = !quoted && !literalOf(state.holder.word)?.endsWith('=');
  state.addExpansion(substitution);
  state.push(openFrame('command', { nested: true, substitutes: true, splits }));
}

export function inParameter(state: LexState, character: string): void {
  if (character === '}') state.pop();
  else if (`'"\\\`({`.includes(character) || isOddDollar(state, character))
    state.refuse(
      'unsupported-syntax',
      `"${character}" inside \${ } is not supported in a command; put it in a script file`,
    );
  state.take();
  // The text that is used instead, as in \${A:-$B}.
  if (character === '$') takeName(state);
}

export function inArithmetic(state: LexState, character: string): void {
  if (`'"\\\``.includes(character) || isOddDollar(state, character))
    state.refuse(
      'unsupported-syntax',
      `"${character}" inside $(( )) is not supported in a command; put it in a script file`,
    );
  const frame = state.top;
  if (character === '(') frame.depth++;
  else if (character === ')' && frame.depth > 0) frame.depth--;
  else if (character === ')') {
    if (state.peek(1) !== ')')
      state.refuse('unsupported-syntax', 'an ambiguous "(("; write "( (" for a subshell in a subshell');
    state.calculations.push({ kind: 'arithmetic', text: frame.text });
    state.take();
    state.pop();
  }
  frame.text += character;
  state.take();
}

/** A `$` that is not followed by a variable name. */
function isOddDollar(state: LexState, character: string): boolean {
  return character === '$' && !/^\w$/.test(state.peek(1) ?? '');
}

export function inBackticks(state: LexState, character: string): void {
  state.take();
  if (character === '`') return state.pop();
  if (character !== '\\') return;
  if (state.peek() === undefined)
    state.refuse('backslash-before-value', 'a backslash is directly before a value; use $( ) instead');
  state.take();
}

export function inComment(state: LexState, character: string): void {
  if (character === '\n') state.pop();
  else state.take();
}
