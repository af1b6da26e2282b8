import { normalize } from 'node:path';
import { maxCommandBytes } from 'pegboard/processes';
import { toArguments, type ShellArguments } from './arguments.ts';
import { parseShell, type ShellCommand, type ShellWord } from './commands.ts';

/** The sources of a command's output. */
export interface Sources {
  /** A program that may access the network, or the reason why that is unknown. */
  readonly fetches: string | undefined;
  /** `named`: only files that it names. `names`: also names of files. `tree`: any file in its folders. */
  readonly reads: 'named' | 'names' | 'tree';
  /** The words that may name what it reads. Absent if unknown. */
  readonly words?: readonly string[];
}

/** What a program reads, given its arguments. Undefined when it may run another program. */
type Local = (args: ShellArguments) => Sources['reads'] | undefined;

const named: Local = () => 'named';
const names: Local = () => 'names';
/** Reads whole folders with one of these options. */
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

/**
 * git commands that work on local data. Hooks and drivers are configuration, which can't be written without
 * confirmation.
 */
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

/** Programs that neither access the network nor run others. Any other program may. */
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

/** Matches `sed -n 10,20p FILES`. Other scripts, also those of a later option, may run programs. */
const isPrinting = ([first, script, ...files]: readonly ShellWord[]): boolean =>
  first?.text === '-n' &&
  script?.computed === false &&
  /^\d+(,(\d+|\$))?p$/.test(script.text) &&
  files.every(({ text, open }) => !open && !text.startsWith('-'));

/** Syntax that bash evaluates a second time, or that sets variables for later programs. */
export const intricate = /`|\$\(|[<>]\(|\(\(|\[\[|\$\{[^}]*[@![]|(^|[\s;&|({])[A-Za-z_]\w*(\[[^\]]*\])?\+?=/;

/** Based on a list of known programs: any other counts as accessing the network and as reading whole folders. */
export function sourcesOf(script: string): Sources {
  const unknown = (fetches: string): Sources => ({ fetches, reads: 'tree' });
  // What is too long to run need not be read.
  if (script.length > maxCommandBytes() || intricate.test(script)) return unknown('bash');
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
  // The target of this redirection is unknown.
  if (!local || (name.text === 'cd' && args.operands.some(({ computed, glob }) => computed || glob)))
    return undefined;
  const own = local(args);
  return own !== undefined && [...rest, ...reads].some(({ computed, glob }) => computed || glob)
    ? 'tree'
    : own;
}

/** The text that a program gets as input. */
const textOf = ({ input }: ShellCommand): readonly ShellWord[] =>
  typeof input === 'object' ? [input.text] : [];

/** The program's name, without the folder if that is a system folder. */
const programOf = ({ text }: ShellWord): string => text.replace(/^(\/usr)?\/bin\//, '');

/** bash opens network connections as such files too: /dev/tcp/host/80. Those in /dev/shm are ordinary, and kept in memory. */
export const isDevice = (path: string): boolean =>
  path.startsWith('/dev/') && !normalize(path).startsWith('/dev/shm/');

export const isPlainFile = ({ text, computed, glob }: ShellWord): boolean =>
  !computed && !glob && (!isDevice(text) || /^\/dev\/(null|stdout|stderr|stdin|tty)$/.test(text));

const widest = (one: Sources['reads'], other: Sources['reads']): Sources['reads'] =>
  (['tree', 'names', 'named'] as const).find((reads) => reads === one || reads === other)!;
