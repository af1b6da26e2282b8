import { programOf, type PolicyContext } from './policy-context.ts';
import { freeValueOf } from './policy-values.ts';
import {
  codeOption,
  directLaunchers,
  directSubcommand,
  evaluators,
  gitConfiguration,
  interpreters,
  runOption,
  scriptLaunchers,
  subcommand,
} from './policy-tables.ts';
import { literalOf, type Word } from './words.ts';

/** find, docker, npm, git …: finds the program that they start, behind `-exec`, `run` and the like, and judges that. */
export function checkLauncher(program: string, words: readonly Word[], context: PolicyContext): void {
  for (let k = 0; k < words.length; k++) {
    const text = literalOf(words[k]);
    if (text === undefined) continue;
    if (runOption.test(text)) return context.nested(words.slice(k + 1), `${program} ${text}`);
    if (isDirect(program, text)) {
      let start = k + 1;
      while (literalOf(words[start])?.startsWith('-')) start++;
      if (text === 'tool' && literalOf(words[start]) === 'run') start++;
      return context.nested(words.slice(start), `${program} ${text}`);
    }
    if (subcommand.test(text)) {
      const start = words.findIndex((word, index) => index > k && isProgramOrValue(word));
      if (start >= 0 && literalOf(words[start]) !== undefined)
        return context.nested(words.slice(start), program);
    }
    const isInterpreter = interpreters.test(programOf(words[k]) ?? '');
    if (isInterpreter && words.slice(k + 1).some((word) => codeOption.test(literalOf(word) ?? '')))
      return context.nested(words.slice(k), program);
    if (program === 'git' && gitConfiguration.test(text))
      context.forbid(words[k + 1], 'value-is-code', 'would set git configuration, which can name programs');
  }
}

/** Any other program: an interpreter among its arguments that is given program text is judged too. */
export function checkUnknownProgram(program: string, words: readonly Word[], context: PolicyContext): void {
  const start = words.findIndex((word) => interpreters.test(programOf(word) ?? ''));
  if (start < 0) return;
  const givesText = words.some((word, k) => {
    const next = words[k + 1];
    return codeOption.test(literalOf(word) ?? '') && next !== undefined && freeValueOf(next) !== undefined;
  });
  if (givesText) context.nested(words.slice(start), program);
}

function isDirect(program: string, text: string): boolean {
  return (
    directSubcommand.test(text) &&
    directLaunchers.test(program) &&
    !(scriptLaunchers.test(program) && text === 'run')
  );
}

function isProgramOrValue(word: Word): boolean {
  const text = literalOf(word);
  return text === undefined || interpreters.test(text.split('/').pop()!) || evaluators.test(text);
}
