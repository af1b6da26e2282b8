/** Whether a line is written for cmd of Windows, as browsers copy it: `curl ^"https://…^" ^`. */
export const isCmdLine = (line: string): boolean =>
  /^\s*curl(?:\.exe)?\s(?:\s*-\S+)*\s*\^"/i.test(line) || /\s\^\r?\n/.test(line);

/** The words of a line of cmd as curl gets them; a text says why it can't be read. */
export function splitCmdLine(line: string): readonly string[] | string {
  const plain = withoutCarets(line);
  return typeof plain === 'string' ? plain : splitArguments(plain.line);
}

/** cmd's own part: outside of quotes, ^ takes the next character as it is. A text says why it can't be read. */
function withoutCarets(line: string): { readonly line: string } | string {
  let plain = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (character === '^' && !isQuoted) {
      // A line end behind it is dropped, and a second one is kept.
      at += /^(?:\r?\n)?/.exec(line.slice(at + 1))![0].length + 1;
      if (line.startsWith('\r\n', at)) at++;
      plain += line[at] ?? '';
    } else if (character === '"') {
      isQuoted = !isQuoted;
      plain += character;
    } else if (!isQuoted && /[&|<>]/.test(character))
      return `it has a ${character} outside of quotes, and only a single curl command can be imported`;
    else if (character === '%' && /^%[^%\s^"]+%/.test(line.slice(at)))
      return 'it has a variable of cmd (%NAME%): write its value, or ${NAME} in a command for a shell';
    else if (/[\r\n]/.test(character)) return 'it has several lines, and the first has no ^ at its end';
    else plain += character;
  }
  return plain.includes('${') ? 'it has a ${, which means a variable in a manifest' : { line: plain };
}

/** As programs of Windows split their arguments: backslashes count only before a quotation mark. */
function splitArguments(line: string): readonly string[] | string {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (const [part, slashes = '', marks] of line.matchAll(/(\\*)("+)|\\+|\s|[^\s"\\]+/g)) {
    if (marks !== undefined) {
      const isEscaped = slashes.length % 2 === 1;
      word = (word ?? '') + '\\'.repeat(slashes.length >> 1) + (isEscaped ? '"' : '');
      // Inside of quotes, two of them are one.
      for (let left = marks.length - (isEscaped ? 1 : 0); left > 0; left--)
        if (isQuoted && left > 1) {
          word += '"';
          left--;
        } else isQuoted = !isQuoted;
    } else if (isQuoted || !/^\s$/.test(part)) word = (word ?? '') + part;
    else {
      if (word !== undefined) words.push(word);
      word = undefined;
    }
  }
  if (isQuoted) return 'a quote is not closed';
  return word === undefined ? words : [...words, word];
}
