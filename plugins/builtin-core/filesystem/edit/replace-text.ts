import type { DecodedText } from '../content.ts';
import { countFound, failed, type Replacement } from './count-found.ts';
import { replaceMixed } from './mixed-line-ends.ts';

/**
 * Replaces `from` in the file, once or everywhere. Throws PEG_TOOL_FAILED with the most similar text of the file when
 * it isn't found.
 */
export function replaceText(
  path: string,
  file: DecodedText | undefined,
  { from, to, all }: Replacement,
): DecodedText & { readonly replaced: number } {
  if (!file) throw failed(`${path} does not exist: use write to create it.`);
  if (from === to) throw failed('old_string and new_string are the same: there is nothing to change.');
  const { text, form } = file;
  if (form.lineEnd === 'mixed' && !`${from}${to}`.includes('\r'))
    return { form, ...replaceMixed(path, text, { from, to, all }) };
  const old = inLineEndsOf(file, from);
  const next = inLineEndsOf(file, to);
  const replaced = countFound(path, text, { from: old, to: next, all });
  return { text: replaceEach(text, old, next), form, replaced };
}

/** Characters in which occurrences are replaced at once, because each takes memory. */
const blockLength = 1_000_000;

function replaceEach(text: string, old: string, next: string): string {
  const pattern = next.replaceAll('$', '$$$$');
  const parts: string[] = [];
  let start = 0;
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) {
    if (at - start < blockLength) continue;
    parts.push(text.slice(start, at).replaceAll(old, pattern));
    start = at;
  }
  return [...parts, text.slice(start).replaceAll(old, pattern)].join('');
}

/** Models write LF; in a file of CRLF lines that means CRLF. */
function inLineEndsOf({ form }: DecodedText, text: string): string {
  return form.lineEnd === '\r\n' && !text.includes('\r') ? text.replaceAll('\n', '\r\n') : text;
}
