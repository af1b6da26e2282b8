import { loadsWhatItFinds } from '../files/runs-what-it-finds.ts';

/** What may be a path in a text. */
export interface PathWords {
  /** Words as they stand, without quotes, and their parts. */
  readonly words: ReadonlySet<string>;
  /** Ends of them: what is left of `$HOME/bin/run` when nothing is known of `$HOME`. */
  readonly ends: ReadonlySet<string>;
  /** It runs files that it does not name: those in the folders, and of the patterns, that it names. */
  readonly finds: boolean;
}

/** Characters of a text that are looked at. */
const maxLength = 65_536;
/** Commands within commands: `sh -c "…"`. */
const maxDepth = 3;
const maxEnds = 6;

/** A quoted text, or what stands between blanks and signs of the shell. */
const pieces = /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:\\.|[^\s"'`;|&<>()])+)/gs;
const hasSeveral = /[\s"'`;|&<>()]/;

/** Every word of a command that could name a file, however it is quoted. Words too many do no harm: they name nothing. */
export function pathWordsIn(text: string): PathWords {
  const words = new Set<string>();
  collect(text.slice(0, maxLength), words, 0);
  const ends = new Set<string>();
  for (const word of words) {
    const names = word.split('/').filter((name) => name !== '' && name !== '.');
    for (let from = Math.max(1, names.length - maxEnds); from < names.length; from++)
      ends.add(names.slice(from).join('/'));
  }
  return { words, ends, finds: loadsWhatItFinds(text.slice(0, maxLength)) };
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
  // Quotes in the middle of a word: lib/"steps".sh
  if (/["']/.test(text))
    text
      .replaceAll(/["']/g, '')
      .split(/[\s`;|&<>()]+/)
      .forEach(add);
}
