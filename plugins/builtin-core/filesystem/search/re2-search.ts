import { readFile, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { linesOf, toText } from '../content.ts';
import { maxFileBytes } from '../files.ts';
import type { LineSearchEngine, MatchedLine } from './line-search.ts';
import { badPattern } from './ripgrep.ts';

/** Lines between two pauses for other work and the time limit. */
const stride = 5_000;

/** Used where there is no ripgrep. Linear in the length of the text for any pattern, but slower. */
export const searchByRe2: LineSearchEngine = async ({ pattern, folder, files, limit, signal }) => {
  const expression = compile(pattern);
  const found: MatchedLine[] = [];
  let seen = 0;
  for (const file of files) {
    const text = await readText(`${folder}/${file}`);
    for (const [index, line] of linesOf(text).entries()) {
      if (++seen % stride === 0) await setImmediate();
      signal.throwIfAborted();
      if (!expression.matcher(line).find()) continue;
      found.push({ file, line: index + 1 });
      if (found.length === limit) return found;
    }
  }
  return found;
};

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

async function readText(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > maxFileBytes) return '';
    const bytes = await readFile(path);
    const content = toText(bytes);
    // Like ripgrep, searches bytes that aren't UTF-8 as if they were: no letter matches the invalid ones.
    return content?.form.encoding === 'latin1' ? bytes.toString() : (content?.text ?? '');
  } catch {
    return '';
  }
}
