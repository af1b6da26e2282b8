import { leadingLiteral, type PolicyContext } from './context.ts';
import {
  dangerousVariable,
  settingWrappers,
  type Wrapper,
} from '../../../../core/programs/known-programs.ts';
import { isExpanded, literalOf, type Word } from '../lex/words.ts';

/** `env`, `timeout`, `xargs` …: finds the program after their own arguments, and checks that. */
export function checkWrapper(
  program: string,
  wrapper: Wrapper,
  words: readonly Word[],
  outer: string,
  context: PolicyContext,
): void {
  const start = innerProgramAt(program, wrapper, words, context);
  if (start === undefined) return;
  const underXargs = outer.startsWith('xargs');
  if (start >= words.length && underXargs && program !== 'xargs')
    context.forbidStandardInput(`xargs ${program}`);
  context.nested(words.slice(start), underXargs ? `xargs ${program}` : program);
}

/** The index of the wrapped program; undefined when everything has been checked already. */
function innerProgramAt(
  program: string,
  wrapper: Wrapper,
  words: readonly Word[],
  context: PolicyContext,
): number | undefined {
  let operands = wrapper.operands;
  for (let k = 0; k < words.length; k++) {
    const word = words[k]!;
    const text = literalOf(word);
    if (isExpanded(text)) {
      if (!setsVariable(program, word, context)) forbidAsProgram(program, word, context);
      context.forbidBehindExpansion(
        words.slice(k),
        `follows a shell expansion among the arguments of "${program}"`,
      );
      return undefined;
    }
    if (text === undefined) {
      if (setsVariable(program, word, context)) continue;
      forbidAsProgram(program, word, context);
      if (operands-- > 0) continue;
      return k;
    }
    if (text === '--') return k + 1;
    if (wrapper.options.test(text)) {
      context.forbid(words[k + 1], 'value-is-code', `belongs to the option "${text}" of "${program}"`);
      k++;
      continue;
    }
    if (program === 'flock' && text === '-c') {
      context.forbidAll(words.slice(k + 1), 'value-is-code', 'is the command of "flock -c"');
      return undefined;
    }
    const isOwn = text.startsWith('-') || (/^[A-Za-z_]\w*=/.test(text) && settingWrappers.test(program));
    if (isOwn || operands-- > 0) continue;
    return k;
  }
  return words.length;
}

function forbidAsProgram(program: string, word: Word, context: PolicyContext): void {
  context.forbid(
    word,
    'value-in-command-position',
    `is at a position where "${program}" expects its command or its options`,
  );
}

/** `env NAME={{value}}`: allowed, unless the name controls other programs. */
function setsVariable(program: string, word: Word, context: PolicyContext): boolean {
  if (!settingWrappers.test(program)) return false;
  const name = /^([A-Za-z_]\w*)=/.exec(leadingLiteral(word) ?? '')?.[1];
  if (name === undefined) return false;
  if (dangerousVariable.test(name))
    context.forbid(word, 'dangerous-variable', `would set ${name}, which controls other programs`);
  return true;
}
