import type { ShellWord } from './commands.ts';

/** The words after a program's name, as programs parse them. */
export interface ShellArguments {
  readonly words: readonly ShellWord[];
  /** Words that are neither options nor before a `--`. */
  readonly operands: readonly ShellWord[];
  /** Contains a word that may become an option after the shell has expanded it. */
  readonly computed: boolean;
  /** Whether one of the options is given: `-r` also in `-fr`, `--recursive` also as `--rec`. */
  has(...options: readonly string[]): boolean;
}

export function toArguments(words: readonly ShellWord[]): ShellArguments {
  const end = words.findIndex(({ text, computed }) => text === '--' && !computed);
  const before = end === -1 ? words : words.slice(0, end);
  const after = end === -1 ? [] : words.slice(end + 1);
  return {
    words,
    operands: [...before.filter(({ text, open }) => open || !/^-./.test(text)), ...after],
    computed: before.some(({ open }) => open),
    has: (...options) => before.some(({ text }) => options.some((option) => gives(text, option))),
  };
}

function gives(word: string, option: string): boolean {
  if (!option.startsWith('--')) return /^-[^-]/.test(word) && word.slice(1).includes(option.slice(1));
  const name = word.split('=')[0]!;
  return name.length > 3 && option.startsWith(name);
}
