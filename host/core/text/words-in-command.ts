import { loadsUnnamedFiles } from '../files/loads-unnamed-files.ts';

/** Words in a text that may be paths. */
export interface PathWords {
  /** Words without quotes, and their parts. */
  readonly words: ReadonlySet<string>;
  /** Their ends: `/bin/run` of `$HOME/bin/run`, when `$HOME` is unknown. */
  readonly ends: ReadonlySet<string>;
  /** It runs files that it doesn't name, from folders or patterns that it names. */
  readonly finds: boolean;
}

/** Maximum characters of a text. */
const maxLength = 65_536;
/** Maximum nesting of commands: `sh -c "…"`. */
const maxDepth = 3;
const maxEnds = 6;

/** A quoted text, or a word between spaces and shell operators. */
const pieces = /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:\\.|[^\s"'`;|&<>()])+)/gs;
const hasSeveral = /[\s"'`;|&<>()]/;

/** Every word of a command that could name a file, however it is quoted. Extra words are harmless: they name nothing. */
export function pathWordsIn(text: string): PathWords {
  const words = new Set<string>();
  collect(text.slice(0, maxLength), words, 0);
  const ends = new Set<string>();
  for (const word of words) {
    const names = word.split('/').filter((name) => name !== '' && name !== '.');
    for (let from = Math.max(1, names.length - maxEnds); from < names.length; from++)
      ends.add(names.slice(from).join('/'));
  }
  return { words, ends, finds: loadsUnnamedFiles(text.slice(0, maxLength)) };
}

function collect(text: string, words: Set<string>, depth: number): void {
  const add = (word: string): void => {
    const parts = word.split(/[={}$,:@[\]]+/);
    for (const one of [word, ...parts, word.replace(/^-\w/, ''), word.replace(/[.,;:!?]+$/, '')])
      if (one !== '' && one.length <= 4096 && !one.includes('\0')) words.add(one);
  };
  for (const [, double, single, bare = ''] of text.matchAll(pieces)) {
    const quoted = double ?? single;
    const word = (quoted ?? bare).replace(/\\(.)/gs, '$1');
    add(word);
    if (quoted !== undefined && depth < maxDepth && hasSeveral.test(word)) collect(word, words, depth + 1);
  }
  // Quotes within a word: lib/"steps".sh
  if (/["']/.test(text))
    text
      .replaceAll(/["']/g, '')
      .split(/[\s`;|&<>()]+/)
      .forEach(add);
}
