import type { PolicyContext } from './context.ts';
import { dangerousVariable } from '../../../../core/programs/known-programs.ts';
import { refuse } from '../refusal.ts';
import { choicesOf, isInert } from '../template/template.ts';
import { leadingText, literalOf, type Word } from '../lex/words.ts';

/** While a template is loaded, its values are samples; when a call is rendered, they are real. */
export type CheckPoint = 'load' | 'render';

export function checkAssignment(word: Word, context: PolicyContext): void {
  const text = leadingText(word) ?? '';
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0] ?? '';
  if (dangerousVariable.test(name))
    context.forbid(word, 'dangerous-variable', `would set ${name}, which controls other programs`);
  if (text.startsWith(`${name}[`))
    context.forbid(word, 'array-subscript', 'is in the assignment of an array element');
}

export function checkRedirection(word: Word, moment: CheckPoint, context: PolicyContext): void {
  if (word.operator === '<<<') return;
  if (word.operator?.includes('&'))
    context.forbid(word, 'value-in-redirection', `would choose a file descriptor after "${word.operator}"`);
  if (moment === 'load') return;
  for (const piece of word.pieces) {
    if (piece.kind === 'literal' || isInert(piece.parameter) || piece.parameter.unsafe) continue;
    const target = piece.texts?.[0] ?? '';
    if (target.includes('/') || /^\.{0,2}$/.test(target))
      refuse(
        'path-in-redirection',
        `${piece.name}: it names the file of a redirection, so it must be a plain file name without "/"`,
        piece.at,
      );
  }
}

/** A value must not become an option of the program. After `--` nothing can. */
export function checkDashes(words: readonly Word[], moment: CheckPoint): void {
  const end = words.findIndex((word) => literalOf(word) === '--');
  words.forEach((word, k) => {
    const isOperand = end >= 0 && end < k;
    if (k > 0) checkDashesOf(word, moment === 'render' && !isOperand);
  });
}

function checkDashesOf(word: Word, hasRealValues: boolean): void {
  let before = '';
  let isWritten = true;
  for (const piece of word.pieces) {
    const text = piece.kind === 'literal' ? piece.text : (piece.texts?.[0] ?? '');
    if (piece.kind === 'value' && !isInert(piece.parameter) && !piece.parameter.allowDash) {
      if ((before === '-' || before === '--') && (isWritten || hasRealValues))
        refuse(
          'value-glued-to-dash',
          `{{${piece.name}}} directly after "${before}" would choose an option; write the option out, or set allowDash: true on the parameter`,
          piece.at,
        );
      // The choices of an enum are written in the manifest.
      const isChosen = choicesOf(piece.parameter) !== undefined;
      if (hasRealValues && !isChosen && before === '' && text.startsWith('-'))
        refuse(
          'option-injection',
          `${piece.name}: it begins with "-" and would be read as an option; write "--" before {{${piece.name}}} in the command, or set allowDash: true on the parameter`,
          piece.at,
        );
    }
    before += text;
    isWritten &&= piece.kind === 'literal';
  }
}
