import { relative, sep } from 'node:path';
import { isWithin, realPathOf } from '../../core/files/paths.ts';
import type { JudgedCall } from './match-subject.ts';
import type { HomePermissions } from './permissions-for.ts';
import type { Find } from './rule.ts';

/** The owner's rules, and where new ones are kept. */
export interface PermissionStore {
  /** The folder where paths in new rules start, absolute. */
  readonly home: string;
  readonly current: () => HomePermissions;
  /** Adds rules that allow calls of an agent. */
  readonly allow: (agent: string, rules: readonly string[]) => Promise<void>;
  /** How often a person has allowed this agent the same call of the tool. `args`: their digest, as in the audit. */
  readonly timesAllowed: (call: {
    readonly agent: string;
    readonly tool: string;
    readonly args: string;
  }) => number;
}

/** What a person may choose for a call that is asked about again and again. */
export interface OfferedRules {
  /** The rules that allow exactly these commands, or this file. Undefined where none is offered. */
  readonly rules: () => Promise<readonly string[] | undefined>;
  readonly add: (rules: readonly string[]) => Promise<void>;
}

/** A rule is offered with the question after this many answers that allowed the same call. */
const timesBeforeOffer = 2;
const maxRules = 5;
const maxRuleLength = 200;

export interface OfferOptions {
  readonly agent: string | undefined;
  /** Digest of the arguments, as in the audit. */
  readonly args: () => string;
  readonly find: Find;
  readonly store: PermissionStore | undefined;
}

export function offeredRules(
  call: JudgedCall,
  { agent, args, find, store }: OfferOptions,
): OfferedRules | undefined {
  if (!store || agent === undefined) return undefined;
  const tool = call.tool.id;
  return {
    async rules() {
      if (store.timesAllowed({ agent, tool, args: args() }) < timesBeforeOffer) return undefined;
      const patterns = await exactPatterns(call, store.home);
      const name = find(call.tool.name)?.id === tool ? call.tool.name : tool;
      const rules = patterns.map((pattern) => `${name}(${pattern})`);
      const areShort = rules.length <= maxRules && rules.every((rule) => rule.length <= maxRuleLength);
      return rules.length > 0 && areShort ? rules : undefined;
    },
    add: (rules) => store.allow(agent, rules),
  };
}

/** Patterns that match these commands, or this file, and nothing else. None where that is impossible. */
async function exactPatterns(call: JudgedCall, home: string): Promise<readonly string[]> {
  const { tool, subject } = call;
  if (subject === undefined) return [];
  switch (tool.permission?.kind) {
    case 'command':
      return await commandPatterns(subject, call);
    case 'path': {
      if (/[*?\n]/.test(subject)) return [];
      const folder = realPathOf(home);
      const path = isWithin(folder, subject) ? relative(folder, subject) : `/${subject}`;
      return [`/${path.split(sep).join('/')}`];
    }
    default:
      return [];
  }
}

/** One for each command of the line. Programs that run others, or a script by its path, are not offered. */
async function commandPatterns(line: string, { isFree }: JudgedCall): Promise<readonly string[]> {
  const { simpleCommandsOf } = await import('./command/simple-commands.ts');
  const { allowsCommand } = await import('./command/command-pattern.ts');
  const { runsItsArguments } = await import('./command/runners.ts');
  const needed = (simpleCommandsOf(line) ?? []).filter(
    (command) => isFree?.(command.map((word) => word.join(''))) !== true,
  );
  const patterns = new Set<string>();
  for (const command of needed) {
    const words = command.map((word) => word.join(''));
    const pattern = words.map(quoted).join(' ');
    const isOffered = !/[/\\]/.test(words[0]!) && !runsItsArguments(words[0]!) && !/[\r\n]/.test(pattern);
    if (!isOffered || !allowsCommand(pattern, command)) return [];
    patterns.add(pattern);
  }
  return [...patterns];
}

const quoted = (word: string): string => {
  if (/^[\w./:=@%+,-]+$/.test(word)) return word;
  return word.includes("'") ? `"${word}"` : `'${word}'`;
};
