import { resolve } from 'node:path';
import type { PermissionRule, PermissionRules } from '../../api/agent.ts';
import type { Prepared, RegisteredTool } from '../../api/tool.ts';
import { PegboardError } from '../../core/errors.ts';
import { realPathOf } from '../../core/files/paths.ts';
import type { OutOfReach, ReadAt } from './command/command-pattern.ts';
import type { SimpleCommand } from './command/simple-commands.ts';
import { allowsSubject, concernsSubject, type JudgedCall } from './match-subject.ts';
import { isAbout, partsOf, type Find } from './rule.ts';

/** What the rules say of a call. */
export interface Judgement {
  readonly decision: 'allow' | 'ask' | 'deny';
  /** Those that decided: one that denies or asks, or the ones that together allow all of the call. */
  readonly rules: readonly PermissionRule[];
}

/** One set of rules: the home's, or an agent's. */
export interface ApplicableRules {
  readonly rules: PermissionRules;
  /** They only restrict: they are of an agent on whose behalf another one acts. */
  readonly onlyRestrict?: boolean;
}

/** The call in the form that rules judge. */
export function judgedCall(tool: RegisteredTool, args: unknown, prepared: Prepared | undefined): JudgedCall {
  const { permission } = tool;
  const given = permission && (args as { readonly [name: string]: unknown })[permission.argument];
  const asGiven = permission?.kind === 'path' ? undefined : given;
  const subject = prepared?.subject ?? (typeof asGiven === 'string' ? asGiven : undefined);
  return {
    tool,
    args,
    subject,
    cwd: prepared?.cwd,
    isFree: prepared?.isFree,
    outOfReach: prepared?.outOfReach,
  };
}

/** The error of a call that a rule refuses. */
export const deniedBy = ({ rules: [rule] }: Judgement, { id }: RegisteredTool): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `${id} was not run: the rule "${rule!.text}" under permissions.deny in ${rule!.file} refuses it.`,
  );

/** Undefined when no rule concerns the call. */
export async function judgeCall(
  call: JudgedCall,
  sets: readonly ApplicableRules[],
  find: Find,
): Promise<Judgement | undefined> {
  for (const decision of ['deny', 'ask'] as const) {
    const about = sets.flatMap(({ rules }) =>
      rules[decision].filter((rule) => isAbout(rule, call.tool, find, false)),
    );
    const rule = await firstThatConcerns(about, call);
    if (rule) return { decision, rules: [rule] };
  }
  const allowing = sets
    .flatMap(({ rules, onlyRestrict }) => (onlyRestrict ? [] : rules.allow))
    .filter((rule) => isAbout(rule, call.tool, find, true));
  const rules = await rulesThatAllow(allowing, call);
  return rules && { decision: 'allow', rules };
}

async function firstThatConcerns(
  rules: readonly PermissionRule[],
  call: JudgedCall,
): Promise<PermissionRule | undefined> {
  const [whole] = rules.filter(({ text }) => partsOf(text).pattern === undefined);
  if (whole || rules.length === 0) return whole;
  if (call.tool.permission?.kind !== 'command') return rules.find((rule) => concernsSubject(rule, call));
  if (call.subject === undefined) return rules[0];
  // The parser of bash's grammar is loaded only for rules that need it.
  const { commandsInLine, mayRun } = await import('./command/commands-in-line.ts');
  const contents = commandsInLine(call.subject);
  return rules.find(({ text }) => mayRun(contents, partsOf(text).pattern!));
}

/** Undefined when a part of the call is left that no rule allows. */
async function rulesThatAllow(
  rules: readonly PermissionRule[],
  call: JudgedCall,
): Promise<readonly PermissionRule[] | undefined> {
  const whole = rules.find(({ text }) => partsOf(text).pattern === undefined);
  if (whole || rules.length === 0) return whole && [whole];
  if (call.tool.permission?.kind !== 'command') {
    const one = rules.find((rule) => allowsSubject(rule, call));
    return one && [one];
  }
  const { simpleListOf } = await import('./command/simple-commands.ts');
  const { allowsCommand, farthest } = await import('./command/command-pattern.ts');
  const { keepsPaths } = await import('../../core/programs/arguments.ts');
  const { commands, operators } = simpleListOf(call.subject ?? '') ?? { commands: [], operators: [] };
  const moves = commands.map((command) => /^(?:cd|pushd|popd)$/.test(programOf(command)));
  const staysThere = !moves.includes(true);
  // Anywhere else it may not be reached, or be undone at the end of a pipe: where the line is then, is unknown.
  if (moves.lastIndexOf(true) > 0 || (moves[0] && commands.length > 1 && operators[0] !== '&&'))
    return undefined;
  const folders = foldersOf(commands, call.cwd ?? '/');
  const judgedWords = new Map<string, OutOfReach>();
  const outOfReach = (word: string, at?: ReadAt): OutOfReach => {
    if (!call.outOfReach) return undefined;
    const key = `${at} ${word}`;
    if (judgedWords.has(key)) return judgedWords.get(key);
    const judged = folders ? farthest(folders.map((folder) => call.outOfReach!(word, folder, at))) : 'denied';
    judgedWords.set(key, judged);
    return judged;
  };
  const keeps = commands.map((command, at) => moves[at]! || keepsPaths(command.map((word) => word.join(''))));
  const used: PermissionRule[] = [];
  for (const [index, command] of commands.entries()) {
    // Where paths lead when it runs is unknown after one that may change that, and beside one in a pipe.
    let end = index;
    while (operators[end] === '|') end++;
    const isSure = keeps.every((keep, at) => keep || at === index || at > end);
    const isRelative = /^[^/]+\//.test(programOf(command));
    const rule = rules.find(({ text, folder }) => {
      // Elsewhere, the same relative path is another program.
      if (isRelative && !(staysThere && call.cwd === realPathOf(folder))) return false;
      return allowsCommand(partsOf(text).pattern!, command, isSure ? outOfReach : () => 'denied');
    });
    if (rule) used.push(rule);
    // What is free was judged in the folder where the line starts, and by where paths lead then.
    else if (!staysThere || !isSure || call.isFree?.(command.map((word) => word.join(''))) !== true)
      return undefined;
  }
  return used.length > 0 ? [...new Set(used)] : undefined;
}

/** Where the commands of a line may run, from where it starts. Undefined where a `cd` leads to an unknown folder. */
function foldersOf(commands: readonly SimpleCommand[], cwd: string): readonly string[] | undefined {
  const [first] = commands;
  if (!first || !/^(?:cd|pushd)$/.test(programOf(first))) return [cwd];
  const [to, ...more] = first.slice(1).map((word) => word.join(''));
  if (to === undefined || more.length > 0 || to.startsWith('-')) return undefined;
  return [cwd, realPathOf(resolve(cwd, to))];
}

const programOf = ([name]: SimpleCommand): string => name!.join('');
