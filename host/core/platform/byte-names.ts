import { readdirSync } from 'node:fs';
import { thisPlatform } from './this-platform.ts';

/**
 * Names of files are bytes on Unix. Those that are not UTF-8 become text in which each byte that belongs to no character is
 * a lone surrogate, U+DC80 to U+DCFF, as in Python's surrogateescape: such a path can be joined, compared and kept in JSON,
 * and `systemPath` makes the same bytes of it.
 */
export function textOfName(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(utf8, (sequence: string, stray: string | undefined) =>
      stray === undefined
        ? Buffer.from(sequence, 'latin1').toString('utf8')
        : String.fromCharCode(firstStray + stray.charCodeAt(0)),
    );
}

/** A character of several bytes, or else a single byte of none; each byte is a code unit. */
const utf8 =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|([\x80-\xff])/g;

const firstStray = 0xdc00;
/** Only lone surrogates: halves of a pair are one character. */
const strays = /([\u{dc80}-\u{dcff}])/u;

/** What system calls get for a path. */
export function systemPath(path: string): string | Buffer {
  // Names are UTF-16 on Windows, where a lone surrogate is nothing but itself.
  if (path.isWellFormed() || thisPlatform === 'win32') return path;
  const parts = path.split(strays);
  return Buffer.concat(
    parts.map((part, at) => (at % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) - firstStray))),
  );
}

/** For people: "caf\xe9". */
export const shownPath = (path: string): string =>
  path.replaceAll(
    new RegExp(strays, 'gu'),
    (stray) => `\\x${(stray.charCodeAt(0) - firstStray).toString(16)}`,
  );

/** The names in a folder. Throws as `readdirSync` does. */
export function namesInFolder(folder: string): readonly string[] {
  if (thisPlatform === 'win32') return readdirSync(folder);
  return readdirSync(systemPath(folder), { encoding: 'buffer' }).map(textOfName);
}
