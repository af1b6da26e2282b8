import { toArguments, type ShellArguments } from './arguments.ts';
import { parseShell, type ShellCommand, type ShellWord } from './commands.ts';

/** Where the output of a command comes from. */
export interface Sources {
  /** A program that isn't known to stay on this machine, or what keeps that from being known. */
  readonly fetches: string | undefined;
  /** `named`: only of files that it names. `names`: also names of files. `tree`: of any file in its folders. */
  readonly reads: 'named' | 'names' | 'tree';
  /** The words that may name what it reads; absent where that isn't known. */
  readonly words?: readonly string[];
}

/** Given the arguments: what the program reads; undefined where it may run another one. */
type Local = (args: ShellArguments) => Sources['reads'] | undefined;

const named: Local = () => 'named';
const names: Local = () => 'names';
/** With one of these options it reads folders. */
const treeWith =
  (...options: readonly string[]): Local =>
  (args) =>
    args.computed || args.has(...options) ? 'tree' : 'named';
const without =
  (reads: Sources['reads'], ...options: readonly string[]): Local =>
  ({ words }) =>
    words.some(({ text, computed }) => computed || options.some((option) => text.startsWith(option)))
      ? undefined
      : reads;

/** Programs that never read files, whatever their arguments. */
const readNothing = new Set(': echo false mkdir printf rmdir seq sleep tee touch true'.split(' '));

/** What git does with what is here; hooks and drivers are configuration, which nobody writes unasked. */
const gitLocal = new Set(
  'add blame branch cat-file commit describe diff log ls-files ls-tree merge-base mv reflog restore rev-list rev-parse rm shortlog show stash status switch tag'.split(
    ' ',
  ),
);
const git: Local = ({ words }) => {
  const [first, folder, third] = words.map(({ text, computed }) => (computed ? undefined : text));
  const command = first === '-C' ? folder && third : first;
  return command !== undefined && gitLocal.has(command) ? 'tree' : undefined;
};

/** Programs that fetch nothing and run nothing else. Any other program may. */
const locals: ReadonlyMap<string, Local> = new Map<string, Local>([
  ...`: [ base64 basename break cat cd chmod cmp column comm continue csplit cut date df dirname du echo exit expand
  expr false file fmt fold head hexdump hostname id join jq kill ln md5sum mkdir nl nproc numfmt od paste printf ps
  pwd readlink realpath return rev rm rmdir seq sha1sum sha256sum sha512sum shuf sleep stat strings tac tail tee test
  touch tr true truncate uname uniq uptime wait wc which whoami xxd`
    .split(/\s+/)
    .map((program) => [program, named] as const),
  ['cp', treeWith('-r', '-R', '-a', '--recursive', '--archive')],
  ['mv', named],
  ['ls', names],
  ['tree', names],
  ['find', without('names', '-exec', '-ok', '-fprint', '-fls')],
  ['grep', treeWith('-r', '-R', '--recursive')],
  ['diff', treeWith('-r', '--recursive')],
  ['rg', without('tree', '--pre', '--hostname-bin', '--search-zip')],
  ['sort', without('named', '--c', '-T')],
  ['split', without('named', '--f')],
  ['sed', ({ words }) => (isPrinting(words) ? 'named' : undefined)],
  ['git', git],
]);

/** `sed -n 10,20p`: other scripts of sed may run programs. */
export const isPrinting = ([first, script]: readonly ShellWord[]): boolean =>
  first?.text === '-n' && script?.computed === false && /^\d+(,(\d+|\$))?p$/.test(script.text);

/** What bash evaluates a second time, or sets for the programs that follow. */
export const intricate = /`|\$\(|[<>]\(|\(\(|\[\[|\$\{[^}]*[@![]|(^|[\s;&|({])[A-Za-z_]\w*(\[[^\]]*\])?\+?=/;

/** Judged by a list of what is known: whatever isn't on it counts as fetching, and as reading whole folders. */
export function sourcesOf(script: string): Sources {
  const unknown = (fetches: string): Sources => ({ fetches, reads: 'tree' });
  if (intricate.test(script)) return unknown('bash');
  const { commands, functions, errors } = parseShell(script);
  if (errors.length > 0 || functions.size > 0) return unknown('bash');
  let reads: Sources['reads'] = 'named';
  const words: string[] = [];
  for (const command of commands) {
    if (![...command.reads, ...command.writes].every(isPlainFile)) return unknown('bash');
    const own = readsOf(command);
    if (own === undefined) return unknown(command.words[0]?.text || 'bash');
    reads = widest(reads, own);
    const [name] = command.words;
    const given = name && readNothing.has(programOf(name)) ? [name] : command.words;
    words.push(...[...given, ...command.reads, ...textOf(command)].map(({ text }) => text));
  }
  return { fetches: undefined, reads, words };
}

function readsOf({ words, reads }: ShellCommand): Sources['reads'] | undefined {
  const [name, ...rest] = words;
  if (!name) return 'named';
  if (name.computed || name.glob) return undefined;
  const local = locals.get(programOf(name));
  const args = toArguments(rest);
  // Where it goes then isn't known.
  if (!local || (name.text === 'cd' && args.operands.some(({ computed, glob }) => computed || glob)))
    return undefined;
  const own = local(args);
  return own !== undefined && [...rest, ...reads].some(({ computed, glob }) => computed || glob)
    ? 'tree'
    : own;
}

/** A text that a program is given to read. */
const textOf = ({ input }: ShellCommand): readonly ShellWord[] =>
  typeof input === 'object' ? [input.text] : [];

/** Of a program in the system's folders its name alone. */
export const programOf = ({ text }: ShellWord): string => text.replace(/^(\/usr)?\/bin\//, '');

/** bash opens connections as files: /dev/tcp/host/80. */
export const isPlainFile = ({ text, computed, glob }: ShellWord): boolean =>
  !computed && !glob && (!text.startsWith('/dev/') || /^\/dev\/(null|stdout|stderr|stdin|tty)$/.test(text));

const widest = (one: Sources['reads'], other: Sources['reads']): Sources['reads'] =>
  (['tree', 'names', 'named'] as const).find((reads) => reads === one || reads === other)!;
