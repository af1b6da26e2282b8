import type { Lexed } from '../lex/lex.ts';
import { checkInterpreter } from './interpreters.ts';

import { checkArguments } from './runners.ts';
import { createPolicyContext, programOf, type PolicyContext } from './context.ts';
import { checkProgramFirst } from './program-first.ts';
import {
  dangerousVariable,
  evaluators,
  gitOptions,
  interpreters,
  isAbbreviated,
  programFirst,
  programOption,
  programOptionsOf,
  readsCommands,
  standardInputFile,
  variableSetters,
  variableTesters,
  wrappers,
} from '../../../../core/programs/known-programs.ts';
import { checkAssignment, checkDashes, checkRedirection, type CheckPoint } from './words.ts';
import { checkWrapper } from './wrappers.ts';
import { isExpanded, leadingText, literalOf, type Word } from '../lex/words.ts';

/**
 * Refuses commands in which a value would be program text or choose a program. The shell never evaluates values; these
 * rules are a lint against programs that evaluate their arguments, and cover only well-known ones.
 */
export function checkPolicy(lexed: Lexed, moment: CheckPoint): void {
  const context = createPolicyContext(lexed, (words, outer) => checkProgram(words, outer, context));
  for (const { words } of lexed.commands) {
    for (const word of words) {
      if (word.role === 'assignment') checkAssignment(word, context);
      if (word.role === 'redirection') checkRedirection(word, moment, context);
    }
    const own = words.filter((word) => word.role === 'word');
    checkProgram(own, '', context);
    checkDashes(own, moment);
  }
}

/** One program with its arguments; `outer` names the wrapper that runs it, or is empty. */
function checkProgram(words: readonly Word[], outer: string, context: PolicyContext): void {
  const [first, ...rest] = words;
  if (!first) return;
  context.forbid(
    first,
    'value-in-command-position',
    outer === '' ? 'would choose the program to run' : `would choose the program that "${outer}" runs`,
  );
  const program = programOf(first);
  if (program === undefined) return;
  if (isExpanded(program))
    return context.forbidBehindExpansion(
      rest,
      'is an argument of a program that is named by a shell expansion',
    );
  if (evaluators.test(program)) {
    context.forbidAll(rest, 'value-is-code', `is an argument of "${program}", which can evaluate it as code`);
    if (outer.startsWith('xargs')) context.forbidStandardInput(`xargs ${program}`);
    if (takesCommandsFromInput(program, rest)) context.forbidStandardInput(program);
    return;
  }
  if (variableSetters.test(program)) return checkVariableNames(rest, context);
  if (program === 'for') return context.forbid(rest[0], 'value-is-code', 'would name a shell variable');
  if (
    variableTesters.programs.test(program) &&
    rest.some((word) => variableTesters.option.test(literalOf(word) ?? ''))
  )
    return context.forbidAll(
      rest,
      'value-is-code',
      `is used by "${program} -v" as the name of a variable, whose subscript is evaluated`,
    );
  checkProgramOptions(program, rest, context);

  if (readsProgramFromInput(program, rest)) context.forbidStandardInput(program);

  const wrapper = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined;
  if (wrapper) return checkWrapper(program, wrapper, rest, outer, context);
  if (interpreters.test(program)) return checkInterpreter(program, rest, context);
  const family = program.replace(/^[gmn](awk|sed)$/, '$1');
  const rule = Object.hasOwn(programFirst, family) ? programFirst[family] : undefined;
  if (rule) return checkProgramFirst(program, rule, rest, context);
  checkArguments(first, rest, context);
}

function isGitOption(program: string, option: string, words: readonly Word[]): boolean {
  if (program !== 'git') return false;
  return words.some((word) => {
    const command = literalOf(word) ?? '';
    return Object.hasOwn(gitOptions, command) && gitOptions[command]!.test(option);
  });
}

/** `export NAME=value`: the template must write the name, and it must not control other programs. */
function checkVariableNames(words: readonly Word[], context: PolicyContext): void {
  for (const word of words) {
    const name = /^([A-Za-z_]\w*)=/.exec(leadingText(word) ?? '')?.[1];
    if (name === undefined) context.forbid(word, 'value-is-code', 'would name a shell variable');
    else if (dangerousVariable.test(name))
      context.forbid(word, 'dangerous-variable', `would set ${name}, which controls other programs`);
  }
}

/**
 * For programs that evaluate their arguments: whether the program text comes from standard input, because no argument
 * gives it or one names standard input.
 */
function takesCommandsFromInput(program: string, words: readonly Word[]): boolean {
  if (words.some((word) => standardInputFile.test(literalOf(word) ?? ''))) return true;
  if (program === 'make' || program === 'gmake') return readsProgramFromInput(program, words);
  if (!readsCommands.test(program)) return false;
  // Their program is among their arguments.
  if (words.some((word) => /^(-[lcLV]|--(list|command|version|help))$/.test(literalOf(word) ?? '')))
    return false;
  const operands = words.filter((word) => !(literalOf(word) ?? '').startsWith('-'));
  const command = operands.at(/^(ssh|rsh|autossh|mosh)$/.test(program) ? 1 : 0);
  // A host or file name doesn't reveal what runs there.
  return !/^(ssh|rsh|autossh|mosh)$/.test(program) || !command || interpreters.test(programOf(command) ?? '');
}

/** `sed -f -`, `awk -f /dev/stdin`, `make -f-`. */
function readsProgramFromInput(program: string, words: readonly Word[]): boolean {
  const takesFile =
    Object.hasOwn(programFirst, program.replace(/^[gmn](awk|sed)$/, '$1')) || /^g?make$/.test(program);
  return words.some((word, k) => {
    const [, option, glued] = /^(-f|--(?:from-)?file|--makefile)=?(.*)$/s.exec(literalOf(word) ?? '') ?? [];
    if (!takesFile || option === undefined) return false;
    return standardInputFile.test(glued === '' ? (literalOf(words[k + 1]) ?? '') : glued!);
  });
}

function checkProgramOptions(program: string, words: readonly Word[], context: PolicyContext): void {
  words.forEach((word, k) => {
    const option = literalOf(word) ?? leadingText(word) ?? '';
    const isOwn = Object.hasOwn(programOptionsOf, program) && programOptionsOf[program]!.test(option);
    if (
      !isOwn &&
      !programOption.test(option) &&
      !isAbbreviated(program, option) &&
      !isGitOption(program, option, words)
    )
      return;
    const why = `is the program that "${option}" names`;
    context.forbid(word, 'value-is-code', why);
    if (!option.includes('=')) context.forbid(words[k + 1], 'value-is-code', why);
  });
}
