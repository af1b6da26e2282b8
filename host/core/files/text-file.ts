import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { fileErrorInWords } from '../system-error.ts';
import { findHidden } from '../foreign/hidden-characters.ts';
import { isOpenedIn, linkOutDiagnostic, linkOutOf, type Boundary } from './links.ts';
import { withCommas } from '../text/with-commas.ts';
import { withoutByteOrderMark } from '../text/byte-order-mark.ts';
import { notRegular, openFlags } from './regular-file.ts';

/** Bytes. Larger files are not read. */
export const maxFileBytes = 1_048_576;

export type TextFile =
  | { readonly text: string; readonly diagnostics: readonly Diagnostic[] }
  | { readonly text: undefined; readonly diagnostics: readonly Diagnostic[]; readonly missing: boolean };

/**
 * Reads a file that people write and models read: UTF-8 of at most 1 MiB without invisible characters. Windows line
 * ends and a byte order mark are accepted. A file outside of `boundary` is not read: a home of somebody else could link
 * to any file, and errors quote what they find. Synchronous, because that is three times faster for thousands of small
 * files.
 */
export function readTextFile(path: string, boundary: Boundary): TextFile {
  const file = readDecodedFile(path, boundary);
  return file.text === undefined ? file : checkText(path, file.text);
}

/** The same with invisible characters: for whoever mends the file. */
export function readDecodedFile(path: string, boundary: Boundary): TextFile {
  let bytes: Buffer | 'too large';
  try {
    bytes = readBytes(path, boundary);
  } catch (cause) {
    const out = linkOutOf(boundary, path);
    if (out) return { text: undefined, diagnostics: [linkOutDiagnostic(out)], missing: false };
    const code = (cause as NodeJS.ErrnoException).code;
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    return refuse(path, { code: 'unreadable-file', message: explainRead(cause, code) }, missing);
  }
  if (bytes === 'too large') return refuse(path, tooLarge());
  let text = bytes.toString('utf8');
  // Undecodable bytes become this character, which a text may also contain itself.
  if (text.includes(replacement) && !isUtf8(bytes)) return refuse(path, notUtf8(text));
  return { text: withoutByteOrderMark(text), diagnostics: [] };
}

/** Shared between files, because nearly all fit and their content is decoded at once. */
const buffer = Buffer.allocUnsafeSlow(65_536);

/**
 * The content of a regular file, valid until the next read. Pipes and terminals can't be read at a position; devices
 * can fill the buffer or give nothing. Only in these cases is the file type checked, which saves a system call.
 */
function readBytes(path: string, boundary: Boundary): Buffer | 'too large' {
  const file = openSync(path, openFlags);
  try {
    if (!isOpenedIn(boundary, path, file))
      throw new Error('it leads out of the home or project that it belongs to');
    const length = readSync(file, buffer, 0, buffer.length, 0);
    if (length > 0 && length < buffer.length) return buffer.subarray(0, length);
    const stat = fstatSync(file);
    if (!stat.isFile()) throw notRegular();
    return stat.size > maxFileBytes ? 'too large' : readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw code === 'ESPIPE' || code === 'EISDIR' ? notRegular() : cause;
  } finally {
    closeSync(file);
  }
}

const replacement = '\uFFFD';
/** Created on demand: formatting the first number takes 20 ms. */
const tooLarge = (): Omit<Diagnostic, 'severity' | 'path'> => ({
  code: 'file-too-large',
  message: `the file has more than ${withCommas(maxFileBytes)} bytes, which is the limit`,
});

function notUtf8(text: string): Omit<Diagnostic, 'severity' | 'path'> {
  const what = text.startsWith(replacement + replacement)
    ? ' but UTF-16'
    : text.includes('\0')
      ? ': it is binary'
      : '; it looks like Latin-1 or Windows-1252';
  return {
    code: 'not-utf8',
    message: `the file is not UTF-8${what}`,
    ...placeAt(text, text.indexOf(replacement)),
    hint: 'save it as UTF-8',
  };
}

/** What `readTextFile` would return if the file at `path` had this text. */
export function checkText(path: string, text: string): TextFile {
  if (Buffer.byteLength(text) > maxFileBytes) return refuse(path, tooLarge());
  const found = findHidden(text);
  if (!found) return { text, diagnostics: [] };
  const place = placeAt(text, found.index);
  if (text[found.index] === '\0')
    return refuse(path, { code: 'nul-byte', message: 'the file holds NUL bytes: it is binary', ...place });
  return refuse(path, {
    code: found.code,
    message: `the text holds ${found.name}, which is invisible to readers`,
    ...place,
    hint:
      found.code === 'lone-cr'
        ? 'save the file with LF or CRLF line ends'
        : 'delete it, or write what it stands for',
  });
}

/** Line and column, both from 1. Columns count UTF-16 units, as in editors. */
export function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', end + 1)) {
    line++;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

function explainRead(cause: unknown, code: string | undefined): string {
  switch (code) {
    case 'ENOENT':
      return 'the file does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'the file may not be read (permission denied)';
    case 'ELOOP':
      return 'the symbolic link leads back to itself';
    case 'ENXIO':
      return 'the file cannot be read: it is not a regular file';
    default:
      return `the file cannot be read: ${fileErrorInWords(cause)}`;
  }
}

function refuse(path: string, problem: Omit<Diagnostic, 'severity' | 'path'>, missing = false): TextFile {
  return { text: undefined, diagnostics: [{ severity: 'error', path, ...problem }], missing };
}
