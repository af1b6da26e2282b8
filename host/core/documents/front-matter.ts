import type { Diagnostic } from '../../api/diagnostic.ts';
import { shorten } from '../text/shorten.ts';
import { withCommas } from '../text/with-commas.ts';

/** Bytes of UTF-8. */
export const maxFrontMatterBytes = 32_768;

export interface FrontMatter {
  /** The YAML between the delimiters. Its first line is line 2 of the file. */
  readonly head: string;
  /** The text after the closing delimiter. */
  readonly body: string;
}

const closing = /^---[ \t]*$/;

/** Splits a Markdown file that begins with a line `---` and has another line `---`. */
export function splitFrontMatter(text: string, path: string): FrontMatter | Diagnostic {
  const firstEnd = text.indexOf('\n');
  const first = firstEnd === -1 ? text : text.slice(0, firstEnd);
  if (!closing.test(first.replace(/\r$/, ''))) return withoutOpening(first, path);
  let start = firstEnd === -1 ? text.length : firstEnd + 1;
  const headStart = start;
  while (start < text.length) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    if (text.charCodeAt(start) === 45 && closing.test(text.slice(start, end).replace(/\r$/, ''))) {
      const head = text.slice(headStart, start);
      const bytes = Buffer.byteLength(head);
      return bytes > maxFrontMatterBytes ? tooLarge(bytes, path) : { head, body: text.slice(end + 1) };
    }
    start = end + 1;
  }
  return {
    severity: 'error',
    code: 'front-matter-not-closed',
    message: 'the front matter that opens on line 1 is never closed',
    path,
    line: 1,
    column: 1,
    hint: 'put --- on a line of its own after the last key',
  };
}

function withoutOpening(first: string, path: string): Diagnostic {
  const almost = /^\s*-{2,}\s*$/.test(first);
  return {
    severity: 'error',
    code: 'no-front-matter',
    message: almost
      ? `the first line must be exactly ---, and is ${JSON.stringify(shorten(first.replace(/\r$/, ''), 40))}`
      : 'the file does not begin with front matter: its first line must be ---',
    path,
    line: 1,
    column: 1,
    hint: 'begin with ---, then id, name, description and command, then ---',
  };
}

function tooLarge(bytes: number, path: string): Diagnostic {
  return {
    severity: 'error',
    code: 'front-matter-too-large',
    message: `the front matter has ${withCommas(bytes)} bytes; at most ${withCommas(maxFrontMatterBytes)} are read`,
    path,
    line: 1,
    column: 1,
    hint: 'move the documentation below the closing ---',
  };
}
