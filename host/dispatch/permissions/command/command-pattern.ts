import type { Prepared } from '../../../api/tool.ts';
import { filesInGit, fileTextsOf, isKnownCommand, readsFolders } from '../../../core/programs/arguments.ts';
import { runsItsArguments } from './runners.ts';
import { simpleCommandsOf, type CommandWord, type SimpleCommand } from './simple-commands.ts';

/** "git status:*" means the same as "git status *". */
const withoutColon = (pattern: string): string => pattern.replace(/:\*$/, ' *');

/** The words of a pattern that is one simple command. Undefined for any other. */
export function patternWords(pattern: string): SimpleCommand | undefined {
  const commands = simpleCommandsOf(withoutColon(pattern), { wildcards: true });
  return commands?.length === 1 ? commands[0] : undefined;
}

/** Whether a word names a file that `*` doesn't stand for. */
export type OutOfReach = ReturnType<NonNullable<Prepared['outOfReach']>>;
export type ReadAt = Parameters<NonNullable<Prepared['outOfReach']>>[2];

const isWildcard = (word: CommandWord): boolean => word.length > 1;
/** `*` as a word of its own. */
const isWords = (word: CommandWord): boolean => word.length > 1 && word.every((part) => part === '');

/** Why a pattern can allow nothing: "it has more than one command". Undefined for one that can. */
export function whyAllowsNothing(pattern: string): string | undefined {
  const words = patternWords(pattern);
  if (!words)
    return 'only one command of plain and quoted words can be allowed, and each part of a line needs a rule';
  const [program] = words as readonly [CommandWord, ...CommandWord[]];
  if (isWildcard(program)) return "the program's name has to be written out";
  const written = words.map((word) => (isWildcard(word) ? undefined : word[0]));
  if (written.includes(undefined) && !isKnownCommand(written)) {
    const begin = written.slice(0, written.indexOf(undefined)).join(' ');
    const why = runsItsArguments(program[0]!)
      ? `${program[0]} runs what its arguments say, or changes what later commands do`
      : `what the arguments of "${begin}" do isn't known`;
    return `${why}, so the whole command has to be written out`;
  }
  return undefined;
}

/** Why a pattern can refuse nothing: it is compared with each command of a line by itself. Undefined for one that can. */
export function whyConcernsNothing(pattern: string): string | undefined {
  if (patternWords(pattern) || !/[<>|;&\n]/.test(pattern)) return undefined;
  return 'a rule is about one command, without redirections and operators';
}

/**
 * Whether a pattern allows the command: word by word, where `*` within a word stands for any characters of that word,
 * `*` as the last word for any words or none, and elsewhere for one or more. With a `*`, all arguments of the command
 * have to be known as harmless. `outOfReach` says of a text in a word whether it names a file outside of the known
 * folders, which has to be written in the pattern, at least the folder it is in; or one that a rule denies, which has
 * to be written whole.
 */
export function allowsCommand(
  pattern: string,
  command: SimpleCommand,
  outOfReach: (text: string, at?: ReadAt) => OutOfReach = () => undefined,
): boolean {
  // Of many rules, most are about other programs.
  const program = /^[\w./+-]+(?= |:\*$|$)/.exec(pattern)?.[0];
  if (program !== undefined && program !== command[0]!.join('')) return false;
  const words = patternWords(pattern);
  if (!words || words[0]!.join('*') !== command[0]!.join('')) return false;
  if (whyAllowsNothing(pattern) !== undefined) return false;
  const given = command.map((word) => word.join(''));
  const files = words.some(isWildcard) ? fileTextsOf(given) : given.map(() => []);
  if (!files) return false;
  const folders = readsFolders(given);
  const inside = folders && 'now';
  const reaches = files.map((texts, at) =>
    farthest([given[at]!, ...texts].map((text) => outOfReach(text, inside))),
  );
  // Without a folder it reads the one that it runs in.
  if (folders === 'here' && words.some(isWildcard) && outOfReach('.', 'now') !== undefined) return false;
  const { paths, at: when } = filesInGit(given);
  if (words.some(isWildcard) && paths.some((path) => outOfReach(path, when) !== undefined)) return false;
  /** How many words of the command the pattern's words so far may stand for. */
  let reached = new Set([0]);
  for (const [index, word] of words.entries()) {
    const next = new Set<number>();
    for (const at of reached) {
      if (!isWords(word)) {
        if (at < given.length && allowsWord(word, given[at]!, reaches[at])) next.add(at + 1);
        continue;
      }
      const outside = reaches.findIndex((reach, place) => place >= at && reach !== undefined);
      const first = index === words.length - 1 ? at : at + 1;
      const last = outside === -1 ? given.length : outside;
      for (let end = first; end <= last; end++) next.add(end);
    }
    reached = next;
  }
  return reached.has(given.length);
}

/** Of what is found in one word, or of one word in several folders. */
export const farthest = (found: readonly OutOfReach[]): OutOfReach =>
  (['denied', 'outside'] as const).find((reach) => found.includes(reach));

function allowsWord(parts: CommandWord, text: string, reach: OutOfReach): boolean {
  if (!matchesWord(parts, text)) return false;
  if (!isWildcard(parts) || reach === undefined) return true;
  if (reach === 'denied') return false;
  const [folder] = parts as readonly [string, ...string[]];
  return /^(?:\/|\.\.\/)/.test(folder) && !text.slice(folder.length).split('/').includes('..');
}

function matchesWord(parts: CommandWord, text: string): boolean {
  const [first, ...rest] = parts as readonly [string, ...string[]];
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
