import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Diagnostic } from '../api/diagnostic.ts';
import { messageOf } from './errors.ts';
import { findHidden } from './hidden-characters.ts';

/** Bytes. Larger files are not read. */
export const largestFile = 1_048_576;

export type TextFile =
  | { readonly text: string; readonly diagnostics: readonly Diagnostic[] }
  | { readonly text: undefined; readonly diagnostics: readonly Diagnostic[]; readonly missing: boolean };

/**
 * A file that people write and models read: UTF-8 of at most 1 MiB without characters that can't be seen. Windows line
 * ends and a byte-order mark are accepted. Synchronous, because that is three times faster for thousands of small files.
 */
export function readTextFile(path: string): TextFile {
  let bytes: Buffer;
  try {
    bytes = readBounded(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    return refuse(path, { code: 'unreadable-file', message: explainRead(cause, code) }, missing);
  }
  if (bytes.length > largestFile) {
    return refuse(path, {
      code: 'file-too-large',
      message: `the file has more than ${largestFile.toLocaleString('en')} bytes, which is the limit`,
    });
  }
  return decode(path, bytes);
}

/** The same checks for a text that is at hand. */
export function checkText(path: string, text: string): readonly Diagnostic[] {
  const found = findHidden(text);
  if (!found) return [];
  return [
    {
      severity: 'error',
      code: found.code,
      message: `the text holds ${found.name}, which nobody who reads it can see`,
      path,
      ...placeAt(text, found.index),
      hint:
        found.code === 'lone-cr'
          ? 'save the file with LF or CRLF line ends'
          : 'delete it, or write what it stands for',
    },
  ];
}

/** Line and column, both from 1; columns count UTF-16 units, as editors do. */
export function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', end + 1)) {
    line++;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

/** Opening a pipe must not wait for a writer. Windows has no such flag. */
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** One byte more than the limit is enough to know. */
function readBounded(path: string): Buffer {
  const file = openSync(path, openFlags);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (stat.size <= largestFile) return readFileSync(file);
    const bytes = Buffer.allocUnsafe(largestFile + 1);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

function decode(path: string, bytes: Buffer): TextFile {
  const encoding = foreignEncoding(bytes);
  if (encoding !== undefined) {
    return refuse(path, {
      code: 'not-utf8',
      message: `the file is not UTF-8${encoding.name}`,
      hint: 'save it as UTF-8',
      ...encoding.place,
    });
  }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.toString('utf8', marked ? 3 : 0);
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    return refuse(path, {
      code: 'nul-byte',
      message: 'the file holds NUL bytes: it is binary',
      ...placeAt(text, nul),
    });
  }
  const hidden = checkText(path, text);
  return hidden.length > 0
    ? { text: undefined, diagnostics: hidden, missing: false }
    : { text, diagnostics: [] };
}

function foreignEncoding(bytes: Buffer): { readonly name: string; readonly place?: object } | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return { name: ' but UTF-16' };
  if (isUtf8(bytes)) return undefined;
  const name = bytes.includes(0) ? ': it is binary' : '; it looks like Latin-1 or Windows-1252';
  // What can't be decoded is replaced by this character.
  const text = bytes.toString('utf8');
  return { name, place: placeAt(text, text.indexOf('\uFFFD')) };
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
    case 'EISDIR':
      return 'it is a folder';
    default:
      return `the file cannot be read: ${messageOf(cause)}`;
  }
}

function refuse(path: string, problem: Omit<Diagnostic, 'severity' | 'path'>, missing = false): TextFile {
  return { text: undefined, diagnostics: [{ severity: 'error', path, ...problem }], missing };
}
