import { readFile } from 'node:fs/promises';
import { RE2JS } from 're2js';
import { toText } from '../content.ts';
import type { FoundLines, LineSearch, MatchedLine } from './line-search.ts';
import { badPattern } from './ripgrep.ts';

/** Used where there is no ripgrep. Linear in the length of the text for any pattern, but slower. */
export async function findLines({
  pattern,
  folder,
  files,
  limit,
}: Omit<LineSearch, 'signal'>): Promise<FoundLines> {
  const expression = compile(pattern);
  const found: MatchedLine[] = [];
  const binary: string[] = [];
  for (const file of files) {
    let number = 0;
    const { text, isBinary } = await readText(`${folder}/${file}`);
    for (const line of eachLine(text)) {
      number++;
      if (!expression.matcher(line).find()) continue;
      if (isBinary) {
        binary.push(file);
        break;
      }
      found.push({ file, line: number });
      if (found.length === limit) return { lines: found, binary };
    }
  }
  return { lines: found, binary };
}

/** Without their line ends. */
function* eachLine(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    yield text.slice(start, end > start && text[end - 1] === '\r' ? stop - 1 : stop);
    start = stop + 1;
  }
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(withUnicodeClasses(pattern));
  } catch (cause) {
    throw badPattern(pattern, (cause as Error).message);
  }
}

/** ripgrep's \d, \w and \s match more than ASCII. */
const unicodeClasses: { readonly [letter: string]: string } = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: '\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}',
  s: '\\t\\n\\v\\f\\r\\x{85}\\p{Z}',
};

function withUnicodeClasses(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\Q[^]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\[\^?\]?|\]/gs, (token) => {
    if (token.startsWith('[') && !inClass) {
      inClass = true;
      return token;
    }
    if (token === ']') {
      inClass = false;
      return token;
    }
    const letter = token.length === 2 && token.startsWith('\\') ? token[1]! : '';
    const negated = unicodeClasses[letter.toLowerCase()];
    if (Object.hasOwn(unicodeClasses, letter)) {
      const body = unicodeClasses[letter]!;
      return inClass || letter === 'D' ? body : `[${body}]`;
    }
    return (letter === 'W' || letter === 'S') && !inClass ? `[^${negated}]` : token;
  });
}

/** Like ripgrep, takes bytes that aren't UTF-8 as if they were: no letter matches the invalid ones. */
async function readText(path: string): Promise<{ readonly text: string; readonly isBinary: boolean }> {
  try {
    const bytes = await readFile(path);
    const content = toText(bytes);
    const isUnicode = content !== undefined && content.form.encoding !== 'latin1';
    return { text: isUnicode ? content.text : bytes.toString(), isBinary: content === undefined };
  } catch {
    return { text: '', isBinary: false };
  }
}
