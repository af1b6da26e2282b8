import { toArguments, type Arguments } from './arguments.ts';
import { parseShell, type ShellCommand, type ShellWord } from './commands.ts';
import type { FileGuard } from './dangers.ts';
import { intricate, isPlainFile, isPrinting, programOf } from './sources.ts';

/** Does the program change nothing and run nothing else, given these arguments? */
type Rule = (args: Arguments) => boolean;

const always: Rule = () => true;
/** Not with options that begin like these: they write files, set something, or read whole folders. */
const without =
  (...options: readonly string[]): Rule =>
  ({ words }) =>
    !words.some(({ text }) => options.some((option) => text.startsWith(option)));
/** A second operand would be a file that it writes. */
const oneOperand: Rule = ({ operands }) => operands.length <= 1;

const gitReads = new Set(
  'blame describe diff log ls-files ls-tree merge-base rev-list rev-parse shortlog show status'.split(' '),
);
const git: Rule = (args) => {
  const [command, ...rest] = args.words;
  return (
    gitReads.has(command?.text ?? '') && without('--output', '--ext-diff', '--textconv')(toArguments(rest))
  );
};

/** Whatever isn't here is asked about. */
const free: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...`: [ base64 basename cat cmp column comm cut df dirname du echo expand expr false fmt fold head hexdump id join jq ls
  md5sum nl nproc numfmt od paste pwd readlink realpath rev seq sha1sum sha256sum sha512sum sleep stat strings tac tail
  test tr true uname uptime wc which whoami`
    .split(/\s+/)
    .map((program) => [program, always] as const),
  ['date', without('-s', '--s')],
  ['diff', without('-r', '--r')],
  ['file', without('-C', '--c')],
  ['find', without('-exec', '-ok', '-fprint', '-fls', '-delete')],
  ['git', git],
  ['grep', without('-r', '-R', '--r', '--d', '-d')],
  ['printf', without('-v')],
  ['sed', ({ words }) => isPrinting(words)],
  ['shuf', without('-o', '--o')],
  ['sort', without('-o', '--o', '--c', '-T', '--t')],
  ['tree', without('-o')],
  ['uniq', oneOperand],
  ['xxd', oneOperand],
]);

/**
 * Why a person is asked about a script that isn't known to be harmless; undefined when all it does is to run programs that
 * only read and print, on files in the folders of the file tools.
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

function reasonOf({ words, reads, writes }: ShellCommand, guard: FileGuard): string | undefined {
  const files = [...reads, ...writes];
  const [name, ...rest] = words;
  if (!files.every(isPlainFile) || [...words, ...reads].some(({ computed, glob }) => computed || glob))
    return 'which files it uses is computed';
  const program = name && programOf(name);
  if (program !== undefined && free.get(program)?.(toArguments(separated(rest))) !== true)
    return `"${[program, ...rest.slice(0, 1).map(({ text }) => text)].join(' ')}" may change something`;
  const outside = [...rest, ...reads].flatMap(pathsIn).find((path) => !guard.isInside(path));
  return outside === undefined ? undefined : `${outside} lies outside of the folders of file tools`;
}

/** `-ro` as `-r` and `-o` too, so that no option hides behind another. */
const separated = (words: readonly ShellWord[]): readonly ShellWord[] =>
  words.flatMap((word) =>
    /^-[A-Za-z]{2,}$/.test(word.text)
      ? [
          word,
          ...word.text
            .slice(1)
            .split('')
            .map((letter) => ({ ...word, text: `-${letter}` })),
        ]
      : [word],
  );

/** The word, and what is glued to an option in it: `--file=x`, `-fx`. */
const pathsIn = ({ text }: ShellWord): readonly string[] =>
  text.startsWith('-') ? [text.replace(/^--?[\w-]*=/, ''), text.slice(2)] : [text];
