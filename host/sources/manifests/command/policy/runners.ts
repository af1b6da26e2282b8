import { leadingLiteral, programOf, type PolicyContext } from './context.ts';
import { freeValueOf } from './values.ts';
import {
  codeOption,
  evaluators,
  interpreters,
  programFirst,
  wrappers,
} from '../../../../core/programs/known-programs.ts';
import {
  codeOptions,
  dataPrograms,
  gitConfiguration,
  knownRunners,
  ownScript,
  plainGitKey,
  quietVerbs,
  runners,
  runOption,
  runVerbs,
  textVerbs,
  type Runner,
} from '../../../../core/programs/known-runners.ts';
import { literalOf, type Word } from '../lex/words.ts';

/**
 * Checks programs that aren't known to evaluate their arguments. Arguments of system tools are data, and only the
 * author knows those of scripts of the space. Any other program may run a command given after a word such as `run` or
 * an option such as `-c`, so values must not choose or extend it.
 */
export function checkArguments(first: Word, words: readonly Word[], context: PolicyContext): void {
  const program = programOf(first)!;
  if (checkInterpreterWithin(program, words, context)) return;
  if (isOwnScript(first)) return;
  if (/^(find|fd|fdfind)$/.test(program)) return checkRunOptions(program, words, context);
  if (dataPrograms.has(program)) return;
  if (runners.test(program)) return checkBehindVerb(program, words, context);
  if (program === 'git') checkGit(words, context);
  checkRunOptions(program, words, context);
  if (!Object.hasOwn(knownRunners, program)) checkCodeOptions(program, words, context);
  for (const runner of knownRunners[program] ?? []) {
    const start = behindVerbs(runner, words);
    if (start !== undefined) return checkKnown(program, runner, words.slice(start), context);
  }
  const text = words.findIndex((word) => textVerbs.test(literalOf(word) ?? ''));
  if (text >= 0) {
    const why = `may be command text of "${program} ${literalOf(words[text])}"`;
    return context.forbidAll(words.slice(text + 1), 'value-is-code', why);
  }
  const quiet = Object.hasOwn(quietVerbs, program) ? quietVerbs[program] : undefined;
  const verb = words.findIndex((word) => {
    const text = literalOf(word) ?? '';
    return runVerbs.test(text) && quiet?.test(text) !== true;
  });
  // Words before the verb aren't part of the command, and an option before it belongs to the program itself.
  if (verb >= 0) checkBehindVerb(`${program} ${literalOf(words[verb])}`, words.slice(verb + 1), context);
}

const isOwnScript = (word: Word): boolean => {
  const text = literalOf(word) ?? '';
  return !text.startsWith('/') && ownScript.test(text);
};

/** An interpreter among the arguments of another program, with program text. */
function checkInterpreterWithin(program: string, words: readonly Word[], context: PolicyContext): boolean {
  const start = words.findIndex((word) => interpreters.test(programOf(word) ?? ''));
  if (start < 0 || dataPrograms.has(program)) return false;
  const givesText = words.slice(start).some((word, k, rest) => {
    const next = rest[k + 1];
    return codeOption.test(literalOf(word) ?? '') && next !== undefined && freeValueOf(next) !== undefined;
  });
  if (givesText) context.nested(words.slice(start), program);
  return givesText;
}

/** `find … -exec PROGRAM …` */
function checkRunOptions(program: string, words: readonly Word[], context: PolicyContext): void {
  const at = words.findIndex((word) => runOption.test(literalOf(word) ?? ''));
  if (at < 0) return;
  const isList = program === 'find' || program.startsWith('fd');
  if (isList) return context.nested(words.slice(at + 1), `${program} ${literalOf(words[at])}`);
  context.forbid(words[at + 1], 'value-is-code', `is the command of "${program} ${literalOf(words[at])}"`);
}

function checkCodeOptions(program: string, words: readonly Word[], context: PolicyContext): void {
  words.forEach((word, k) => {
    const text = literalOf(word) ?? leadingLiteral(word) ?? '';
    const name = text.replace(/=.*$/s, '');
    if (!codeOptions.test(name)) return;
    const why = `may be program text of "${program} ${name}"`;
    context.forbid(word, 'value-is-code', why);
    if (name === text) context.forbid(words[k + 1], 'value-is-code', why);
  });
}

/** Index after the verbs of a runner; undefined unless they occur in this order. */
function behindVerbs({ verbs }: Runner, words: readonly Word[]): number | undefined {
  let at = 0;
  for (const verb of verbs) {
    const found = words.findIndex((word, k) => k >= at && verb.test(literalOf(word) ?? ''));
    if (found < 0) return undefined;
    at = found + 1;
  }
  return at;
}

/** The position of the command is known: after the options and, for containers, their name. */
function checkKnown(program: string, runner: Runner, words: readonly Word[], context: PolicyContext): void {
  let { operands } = runner;
  for (let k = 0; k < words.length; k++) {
    const text = literalOf(words[k]);
    const start = text ?? leadingLiteral(words[k]!) ?? '';
    if (text === '--') return context.nested(words.slice(k + 1), program);
    if (start.startsWith('-')) {
      if (operands === 0 && /^(-c|--(call|command|shell|shell-mode))$/.test(text ?? ''))
        context.forbid(words[k + 1], 'value-is-code', `is the command of "${program} ${text}"`);
      const takesNext = text !== undefined && !text.includes('=') && !runner.flags.test(text);
      if (takesNext) k++;
    } else if (operands > 0) {
      operands--;
      if (runner.operandIsData !== true)
        context.forbid(words[k], 'value-in-command-position', `would choose what "${program}" runs`);
    } else return context.nested(words.slice(k), program);
  }
}

/**
 * A command follows at an unknown position after a verb: a value counts as its argument only after a known program or
 * `--`.
 */
function checkBehindVerb(outer: string, words: readonly Word[], context: PolicyContext): void {
  for (let k = 0; k < words.length; k++) {
    const word = words[k]!;
    if (literalOf(word) === '--') return context.nested(words.slice(k + 1), outer);
    if (isKnownProgram(word)) return context.nested(words.slice(k), outer);
    context.forbid(
      word,
      'value-in-command-position',
      `is at a position where "${outer}" may expect its command`,
    );
  }
}

function isKnownProgram(word: Word): boolean {
  const name = programOf(word);
  if (name === undefined || name === '') return false;
  return (
    dataPrograms.has(name) ||
    interpreters.test(name) ||
    evaluators.test(name) ||
    Object.hasOwn(wrappers, name) ||
    Object.hasOwn(programFirst, name) ||
    isOwnScript(word)
  );
}

/** Configuration of git names programs, and filter-branch takes shell text everywhere. */
function checkGit(words: readonly Word[], context: PolicyContext): void {
  words.forEach((word, k) => {
    if (gitConfiguration.test(literalOf(word) ?? ''))
      context.forbid(words[k + 1], 'value-is-code', 'would set git configuration, which can name programs');
  });
  const command = words.findIndex((word) => /^(config|filter-branch)$/.test(literalOf(word) ?? ''));
  if (command < 0) return;
  const rest = words.slice(command + 1);
  const key = rest.map(literalOf).find((text) => text === undefined || !text.startsWith('-'));
  if (literalOf(words[command]) === 'config' && plainGitKey.test(key ?? '')) return;
  context.forbidAll(rest, 'value-is-code', 'would set git configuration, which can name programs');
}
