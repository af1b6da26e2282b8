import { isSteeringVariable } from '../../../core/processes/environment.ts';
import { isInherited } from '../../../core/platform/variables.ts';
import { lex, type Lexed } from './lex/lex.ts';
import { literalOf, type SimpleCommand } from './lex/words.ts';

/** The variables that a command takes from the host, as `environment` does: `${NAME}`, `$NAME`. */
export interface CommandVariables {
  /** Without a value, the command doesn't run. */
  readonly required: readonly string[];
  /** The command says what is used without a value: `${NAME:-default}`. */
  readonly optional: readonly string[];
  /** Those of the text for `sh -c '…'`, in which nothing is filled in: `environment` or a credential has to set them. */
  readonly inner: readonly string[];
}

/** Bash's manual, "Shell Variables": those that bash sets. */
const ofBash =
  /^(?:_|BASH.*|COMP_.*|COMPREPLY|COPROC|DIRSTACK|EPOCH(?:REALTIME|SECONDS)|EUID|FUNCNAME|GROUPS|HIST.*|HOSTNAME|HOSTTYPE|LINENO|MACHTYPE|MAPFILE|OLDPWD|OPT(?:ARG|ERR|IND)|OSTYPE|PIPESTATUS|PPID|PWD|RANDOM|READLINE_.*|REPLY|SECONDS|SHELL|SHLVL|SRANDOM|UID|COLUMNS|LINES)$/;

/** Commands that may set any variable. */
const unknown = new Set(['.', 'source', 'eval']);

/** Those that the command doesn't set itself, and that it doesn't have anyway. `runs`: each branch of its template. */
export function variablesOf(runs: readonly Lexed[]): CommandVariables {
  const written = new Map<string, boolean>();
  for (const { variables } of runs)
    for (const [name, hasFallback] of variables)
      written.set(name, hasFallback && written.get(name) !== false);
  const commands = runs.flatMap((run) => run.commands);
  const calculated = runs.flatMap(({ calculations }) => calculations.map(({ text }) => text)).join(' ');
  const isSet = (name: string): boolean =>
    commands.some((command) => sets(command, name)) || new RegExp(`\\b${name}\\b`).test(calculated);
  const names = [...written.keys()].filter(
    (name) => !ofBash.test(name) && !isInherited(name) && !isSteeringVariable(name) && !isSet(name),
  );
  const isOpen = commands.some(({ words: [first] }) => unknown.has(literalOf(first) ?? ''));
  const isOptional = (name: string): boolean => isOpen || written.get(name) === true;
  const scripts = commands.flatMap(scriptOf);
  return {
    required: names.filter((name) => !isOptional(name)),
    optional: names.filter(isOptional),
    inner: scripts.length === 0 ? [] : variablesOf(scripts).required.filter((name) => !isSet(name)),
  };
}

const shell = /(?:^|\/)(?:a|ba|da|k|z)?sh$/;

/** What another shell gets to run: the text of `sh -c 'echo $NAME'`, in which this one fills in nothing. */
function scriptOf({ words }: SimpleCommand): readonly Lexed[] {
  const texts = words.map(literalOf);
  const after = texts.findIndex((text) => shell.test(text ?? '')) + 1;
  const option = texts.findIndex(
    (text, at) => after > 0 && at >= after && /^-[a-z]*c[a-z]*$/i.test(text ?? ''),
  );
  const script = option < 0 ? undefined : texts.find((text, at) => at > option && !text?.startsWith('-'));
  if (script === undefined) return [];
  try {
    return [lex({ units: script.split(''), segments: [{ first: 0, at: 0 }] })];
  } catch {
    // It says itself what is wrong with it.
    return [];
  }
}

/** Whether a word names it: `NAME=…`, `for NAME in`, `read NAME`, `read -aNAME`. */
const sets = ({ words }: SimpleCommand, name: string): boolean => {
  const naming = new RegExp(`^(?:-\\w+)?${name}(?:\\[.*\\])?(?:\\+?=.*)?$`, 's');
  return words.some((word) => {
    const [first] = word.pieces;
    return first?.kind === 'literal' && naming.test(literalOf(word) ?? first.text);
  });
};
