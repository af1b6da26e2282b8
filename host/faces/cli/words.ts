/** A command line's words, quoted as in a shell ('…', "…", backslash). Undefined when a quote isn't closed. */
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

/** A word as it is written in a command line. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
