import { leadingLiteral, type PolicyContext } from './context.ts';
import { freeValueOf } from './values.ts';
import { jqData, type ProgramFirst } from '../../../../core/programs/known-programs.ts';
import { isExpanded, literalOf, type Word } from '../lex/words.ts';

/** awk, sed, jq …: their first operand is a program, unless an option has given one. */
export function checkProgramFirst(
  program: string,
  rule: ProgramFirst,
  words: readonly Word[],
  context: PolicyContext,
): void {
  let given = false;
  for (let k = 0; k < words.length; k++) {
    const word = words[k]!;
    const text = literalOf(word);
    if (isExpanded(text) && !given) {
      context.forbid(word, 'value-is-code', `is program text of "${program}"`);
      return context.forbidBehindExpansion(
        words.slice(k),
        `follows a shell expansion among the arguments of "${program}"`,
      );
    }
    if (text !== undefined && rule.programs.test(text)) {
      context.forbid(words[k + 1], 'value-is-code', `is program text of "${program} ${text}"`);
      given = true;
      k++;
    } else if (text !== undefined && rule.options.test(text)) k++;
    else if (program === 'jq' && jqData.test(text ?? '')) k += 2;
    else if (text === undefined || !/^-./.test(text)) {
      if (leadingLiteral(word)?.startsWith('-') && freeValueOf(word))
        context.forbid(word, 'value-is-code', `is attached to an option of "${program}"`);
      if (!given) context.forbid(word, 'value-is-code', `is program text of "${program}"`);
      given = true;
    }
  }
}
