import { toArguments, type ShellArguments } from './arguments.ts';
import { parseShell, type ShellCommand, type ShellWord } from './commands.ts';
import type { FileGuard } from './dangers.ts';
import { intricate, isPlainFile, isPrinting, programOf } from './sources.ts';

/** Whether the program with these arguments only reads and prints. */
type Rule = (args: ShellArguments) => boolean;

const always: Rule = () => true;
/** Allows these options and no others. */
const only =
  (options: RegExp): Rule =>
  ({ words }) =>
    words.every(({ text }) => !/^-./.test(text) || options.test(text));
const both =
  (...rules: readonly Rule[]): Rule =>
  (args) =>
    rules.every((rule) => rule(args));
/** A second operand would be an output file. */
const oneOperand: Rule = ({ operands }) => operands.length <= 1;

const findTests =
  /^-(?:a|and|empty|i?name|i?path|ls|maxdepth|mindepth|mmin|mtime|newer|not|o|or|perm|print0?|prune|size|type|user)$/;

/**
 * Programs that, with any arguments or with the listed options, neither write, run other programs, nor read files that
 * their arguments don't name. All other programs need confirmation, including git, whose configuration runs programs
 * and whose history contains deleted content.
 */
const free: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...`: basename cat cmp comm cut dirname echo expand expr false fmt fold head id join nl numfmt od paste pwd readlink
  realpath rev seq sleep stat tac tail tr true uname uptime whoami`
    .split(/\s+/)
    .map((program) => [program, always] as const),
  ...['[', 'test'].map((program) => [program, only(/^-[a-uw-zA-QS-Z]+$/)] as const),
  ...'md5sum sha1sum sha256sum sha512sum'.split(' ').map((program) => [program, only(/^-[bt]$/)] as const),
  ['base64', only(/^-(?:[di]|w.*)$/)],
  ['column', only(/^-[tx]+$/)],
  ['date', ({ words }) => words.every(({ text }) => /^(?:-u|--utc|-R|-I[a-z]*|\+.*)$/.test(text))],
  ['df', only(/^-[ahikT]+$/)],
  ['diff', only(/^-(?:[abBiqsuwyN]+|U\d+)$/)],
  ['du', only(/^-(?:[achkms]+|d\d*)$/)],
  ['file', only(/^-[bhikL]+$/)],
  ['find', only(findTests)],
  ['grep', only(/^-(?:[EFGPabchilLnoqsvwxeHTz]+|[ABCm]\d*)$/)],
  ['ls', only(/^-[1aAbBcCdfFghiklLmnNopqQrRsStuUvwxXZ]+$/)],
  ['printf', ({ words }) => words[0]?.text.startsWith('-') !== true],
  ['sed', ({ words }) => isPrinting(words)],
  ['sort', only(/^-(?:[bdfghiMnrRsuVz]+|[kt].*)$/)],
  ['tree', only(/^-[adfFghilLNpqQsu]+$/)],
  ['uniq', both(only(/^-[cdDiuz]+$/), oneOperand)],
  // An option names a file with the names of others.
  ['wc', only(/^-[clLmw]+$/)],
  ['which', only(/^-a$/)],
]);

/**
 * Why a script needs confirmation unless it is known to be harmless. Undefined when it only runs programs that read and
 * print, on files in the folders of the file tools.
 */
export function unknownIn(script: string, guard: FileGuard): string | undefined {
  if (intricate.test(script)) return 'what it does depends on what it computes';
  const { commands, functions, errors } = parseShell(script);
  if (errors.length > 0 || functions.size > 0) return 'what it does depends on what it computes';
  for (const command of commands) {
    const reason = reasonOf(command, guard);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether a command whose words are all known only reads and prints, on files in the folders of the file tools. */
export function isFreeCommand(words: readonly string[], guard: FileGuard): boolean {
  const known = words.map((text) => ({ text, computed: false, open: false, glob: false }));
  return reasonOf({ words: known, reads: [], writes: [], input: 'pipe' }, guard) === undefined;
}

function reasonOf({ words, reads, writes }: ShellCommand, guard: FileGuard): string | undefined {
  const files = [...reads, ...writes];
  const [name, ...rest] = words;
  if (!files.every(isPlainFile) || [...words, ...reads].some(({ computed, glob }) => computed || glob))
    return 'which files it uses is computed';
  const program = name && programOf(name);
  if (program !== undefined && free.get(program)?.(toArguments(rest)) !== true)
    return `"${[program, ...rest.slice(0, 1).map(({ text }) => text)].join(' ')}" may do more than read and print`;
  for (const path of [...rest, ...reads].flatMap(pathsIn)) {
    const reason = guard.keptFrom(path);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The word and, if it is an option, every part that could be a path: `--files0-from=x`, `-f/x`, `-af../x`. */
const pathsIn = ({ text }: ShellWord): readonly string[] =>
  text.startsWith('-')
    ? [text.replace(/^--?[\w-]*=/, ''), ...(/[/~.].*$/.exec(text.replace(/^-+/, '')) ?? [])]
    : [text];
