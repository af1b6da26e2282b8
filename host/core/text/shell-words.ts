/** Splits a command line into words, quoted as in a shell ('…', "…", backslash). Undefined when a quote isn't closed. */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote === "'" ? character === "'" : quote === character) quote = undefined;
    else if (quote === "'") word += character;
    else if (character === '\\' && (quote === undefined || '"\\'.includes(line[at + 1] ?? ''))) {
      word = (word ?? '') + (line[++at] ?? '');
    } else if (quote !== undefined) word += character;
    else if (character === "'" || character === '"') {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? words : [...words, word];
}

/**
 * Splits a line of text into words: apostrophes, inches and backslashes stay as they are. A quoted phrase is still one
 * word: "tomorrow at 9", --at="tomorrow at 9".
 */
export function splitText(line: string): string[] {
  const pieces = [...line.matchAll(/\S+/g)];
  const last = (quote: string): number => pieces.findLastIndex(([piece]) => piece.endsWith(quote));
  const lastOf: { readonly [quote: string]: number } = { "'": last("'"), '"': last('"') };
  const words: string[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const [piece] = pieces[at]!;
    const [opening = '', option = '', quote = ''] = /^(--[\w-]+=)?(["'])/.exec(piece) ?? [];
    const from = piece.length > opening.length ? at : at + 1;
    if (quote === '' || lastOf[quote]! < from) {
      words.push(piece);
      continue;
    }
    const start = pieces[at]!.index + opening.length;
    while (at < from || !pieces[at]![0].endsWith(quote)) at++;
    words.push(option + line.slice(start, pieces[at]!.index + pieces[at]![0].length - 1));
  }
  return words;
}

/** Quotes a word for a command line where needed. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
