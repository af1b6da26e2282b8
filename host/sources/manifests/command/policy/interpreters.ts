import { type PolicyContext } from './context.ts';
import {
  codeOption,
  databases,
  dataOptions,
  interpretersWithSubcommand,
  perlLoop,
  readsStandardInput,
} from '../../../../core/programs/known-programs.ts';
import { isExpanded, literalOf, type Word } from '../lex/words.ts';

/** Shells, scripting languages, databases: no value may be the script, its text, or an option before it. */
export function checkInterpreter(program: string, words: readonly Word[], context: PolicyContext): void {
  const isDatabase = databases.test(program);
  let operands = interpretersWithSubcommand.test(program) ? 2 : 1;
  for (let k = 0; k < words.length; k++) {
    const word = words[k]!;
    const text = literalOf(word);
    if (isExpanded(text)) {
      if (operands > 0 || isDatabase)
        context.forbid(word, 'value-is-code', `is the script or an option of "${program}"`);
      return context.forbidBehindExpansion(
        words.slice(k),
        `follows a shell expansion among the arguments of "${program}"`,
      );
    }
    if (text !== undefined && Object.hasOwn(dataOptions, program) && dataOptions[program]!.test(text)) {
      k++;
      continue;
    }
    if (text !== undefined && codeOption.test(text))
      return checkProgramText(program, text, words.slice(k + 1), words, context);
    if (text !== undefined && /^[-+]/.test(text)) continue;
    if (operands > 0) {
      operands = isDatabase ? 0 : operands - 1;
      context.forbid(word, 'value-is-code', `is the script or an option of "${program}"`);
    } else if (isDatabase) {
      context.forbid(word, 'value-is-code', `is an argument of "${program}"`);
    }
  }
  if (operands > 0 || readsStandardInput.test(program)) context.forbidStandardInput(program);
}

/** Neither an option nor a text that only the shell knows. */
function isText(word: Word): boolean {
  const text = literalOf(word);
  return text === undefined || !(/^[-+]/.test(text) || isExpanded(text));
}

/** After an option like `-c`: everything up to the program text. What follows are its plain arguments. */
function checkProgramText(
  program: string,
  option: string,
  following: readonly Word[],
  all: readonly Word[],
  context: PolicyContext,
): void {
  for (const word of following) {
    context.forbid(word, 'value-is-code', `is program text of "${program} ${option}"`);
    if (literalOf(word) !== undefined && isText(word)) break;
  }
  if (!following.some(isText)) context.forbidStandardInput(`${program} ${option}`);
  if (program === 'perl' && all.some((word) => perlLoop.test(literalOf(word) ?? '')))
    context.forbidAll(
      following,
      'value-is-code',
      'is a file operand of "perl -n" or "-p", which runs "command|"',
    );
}
