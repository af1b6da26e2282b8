import { beginHeredoc } from './heredoc.ts';
import { quoteOrExpansion } from './quotes.ts';
import { beginsCommand, followsFor, openFrame, type LexState } from './state.ts';
import { bareTextOf, substitution } from './words.ts';

const redirections = new Set(['<<', '<<<', '<<-', '<&', '<>', '<(', '>>', '>&', '>|', '>(']);
const redirectionCharacters = '<>&|-(';

/** A list of commands, outside all quotes. */
export function inCommand(state: LexState, character: string): void {
  if (state.takePlain(false)) return;
  if (quoteOrExpansion(state, character)) return;
  switch (character) {
    case "'":
      return beginSingleQuotes(state);
    case ' ':
    case '\t':
      state.endWord(state.top);
      return state.take();
    case '\n':
      return endLine(state);
    case ';':
    case '&':
    case '|':
      state.needShell(`"${character}"`);
      state.endCommand(state.top);
      return state.take();
    case '(':
      return openGroup(state);
    case ')':
      return closeGroup(state);
    case '<':
    case '>':
      return redirect(state, character);
    default:
      return plainCharacter(state, character);
  }
}

/** Inside `[[ ]]`: only its end matters. */
export function inCondition(state: LexState, character: string): void {
  if (quoteOrExpansion(state, character)) return;
  if (character === "'") return beginSingleQuotes(state);
  if (character === ']' && state.peek(1) === ']' && /\s$/.test(state.script) && endsWordAt(state, 2)) {
    state.take(2);
    state.calculations.push({ kind: 'condition', text: state.top.text });
    state.pop();
    state.top.command.words.push({
      pieces: [{ kind: 'literal', text: '[[', quoted: false }],
      role: 'word',
    });
    return;
  }
  state.top.text += character;
  state.take();
}

function endsWordAt(state: LexState, ahead: number): boolean {
  const isEnd = state.index + ahead >= state.units.length;
  return isEnd || /^[\s;|&)]$/.test(state.peek(ahead) ?? '');
}

function beginSingleQuotes(state: LexState): void {
  state.addLiteral('', true);
  state.push(openFrame('single'));
  state.take();
}

function endLine(state: LexState): void {
  state.needShell('several lines');
  state.endCommand(state.top);
  state.take();
  const heredoc = state.pending.shift();
  if (heredoc) state.push(heredoc);
}

function openGroup(state: LexState): void {
  const frame = state.top;
  state.needShell('"("');
  if (state.isEdgeAt(1))
    state.refuse('token-across-block', 'a block begins or ends directly after "("; put a space between');
  if (frame.word || !(beginsCommand(frame) || followsFor(frame)))
    state.refuse(
      'unsupported-syntax',
      'functions, arrays and extended globs are not supported in a command; put it in a script file, or quote the "("',
    );
  if (state.peek(1) !== '(') {
    state.take();
    return state.push(openFrame('command', { nested: true }));
  }
  state.take(2);
  state.wordOf(frame).pieces.push({ kind: 'literal', text: '((', quoted: false });
  state.endWord(frame);
  state.push(openFrame('arithmetic'));
}

function closeGroup(state: LexState): void {
  const frame = state.top;
  state.take();
  state.endCommand(frame);
  if (frame.cases !== 0) return;
  if (!frame.nested) state.refuse('unbalanced', 'a ")" without its "("; quote it if it is text');
  state.pop();
}

function redirect(state: LexState, character: string): void {
  const frame = state.top;
  state.needShell(`"${character}"`);
  const { word } = frame;
  if (word && word.pieces.length === 1 && /^\d+$/.test(bareTextOf(word) ?? '')) frame.word = undefined;
  else state.endWord(frame);
  if (frame.operator)
    state.refuse('missing-redirect-target', `nothing follows "${frame.operator}"; write the file after it`);
  const operator = takeOperator(state, character);
  if (operator === '<(' || operator === '>(') {
    state.addExpansion(substitution);
    return state.push(openFrame('command', { nested: true }));
  }
  if (operator === '<<' || operator === '<<-') return beginHeredoc(state, operator === '<<-');
  frame.operator = operator;
}

function takeOperator(state: LexState, character: string): string {
  let operator = character;
  state.take();
  for (
    let next = state.peek();
    next !== undefined && redirections.has(operator + next);
    next = state.peek()
  ) {
    operator += next;
    state.take();
  }
  if (state.isEdgeAt(0)) {
    let ahead = 0;
    while (state.isEdgeAt(ahead)) ahead++;
    const next = state.peek(ahead);
    if (next !== undefined && redirectionCharacters.includes(next))
      state.refuse('token-across-block', 'a redirection is split by the edge of a block; put it on one side');
  }
  return operator;
}

function plainCharacter(state: LexState, character: string): void {
  if (character === '#' && !state.top.word) {
    state.needShell('a comment');
    state.push(openFrame('comment'));
    return state.take();
  }
  if ('*?[]{}~'.includes(character)) state.needShell(`"${character}"`);
  if (character < ' ' || character === '\u007f')
    state.refuse(
      'control-character',
      `the command contains the control character U+${character.charCodeAt(0).toString(16).padStart(4, '0')}; remove it`,
    );
  state.addLiteral(character, false);
  state.take();
}
