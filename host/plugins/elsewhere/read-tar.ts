import { gunzipSync } from 'node:zlib';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { maxOwnBytes } from './limits.ts';
import { collectFiles, stepsOf, tooLarge, type PackageFiles } from './package-files.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

const blockSize = 512;
/** Headers and padding of the largest plugin. */
const maxArchiveBytes = 2 * maxOwnBytes;

/** The files in a .tgz as `npm pack` makes it, without its outermost folder. Errors as for `readTar`. */
export function readTgz(archive: Buffer, from: string): PackageFiles {
  let plain: Buffer;
  try {
    plain = gunzipSync(archive, { maxOutputLength: maxArchiveBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(from);
    throw refused(from, `can't be unpacked: ${messageOf(cause)}`);
  }
  return readTar(plain, from, { outermost: true });
}

/**
 * The regular files in a tar archive. Links, devices and everything else than files and folders are refused, whether or
 * not they would do harm. `from`: for messages. `outermost`: all of it lies in a folder whose name doesn't matter.
 * Throws PEG_DENIED and PEG_LIMIT.
 */
export function readTar(
  archive: Buffer,
  from: string,
  { outermost = false }: { readonly outermost?: boolean } = {},
): PackageFiles {
  const collector = collectFiles(from);
  let extended: ReadonlyMap<string, string> = new Map();
  for (let at = 0; at + blockSize <= archive.length;) {
    const header = archive.subarray(at, at + blockSize);
    if (header.every((byte) => byte === 0)) return collector.files;
    checkSum(header, from);
    const size = Number(extended.get('size') ?? octal(header, 124, 12, from));
    const kind = String.fromCharCode(header[156]!);
    const name = extended.get('path') ?? nameIn(header);
    const start = at + blockSize;
    if (!Number.isSafeInteger(size) || start + size > archive.length) throw refused(from, 'is cut off');
    const content = archive.subarray(start, start + size);
    at = start + Math.ceil(size / blockSize) * blockSize;
    if (kind === 'x') {
      extended = recordsIn(content, from);
      continue;
    }
    // Records for all files that follow: git has the commit there.
    if (kind === 'g') {
      for (const key of recordsIn(content, from).keys())
        if (key !== 'comment') throw refused(from, `has settings for all of its files ("${shownLine(key)}")`);
      continue;
    }
    if (kind === '1' || kind === '2' || extended.has('linkpath'))
      throw refused(from, `has a link, ${shownLine(name)}: plugins consist of files and folders`);
    if (kind === '0' || kind === '\0') {
      const [, ...inner] = stepsOf(name, from);
      const own = outermost && inner.length > 0 ? inner.join('/') : name;
      collector.add(own, { content, isExecutable: (octal(header, 100, 8, from) & 0o100) !== 0 });
    } else if (kind !== '5')
      throw refused(from, `has an entry of the kind "${shownLine(kind)}", ${shownLine(name)}`);
    extended = new Map();
  }
  throw refused(from, 'is cut off');
}

/** The sum of all bytes, with spaces for the sum itself. */
function checkSum(header: Buffer, from: string): void {
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== octal(header, 148, 8, from)) throw refused(from, 'is damaged, or no tar archive');
}

function nameIn(header: Buffer): string {
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? text(header, 345, 155) : '';
  const name = text(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

function text(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

function octal(header: Buffer, at: number, length: number, from: string): number {
  const digits = text(header, at, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw refused(from, 'is damaged, or no tar archive');
  return Number.parseInt(digits || '0', 8);
}

/** Records of pax: "LENGTH KEY=VALUE\n", where the length is that of the whole record in bytes. */
function recordsIn(content: Buffer, from: string): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < content.length;) {
    const [head = '', digits = ''] = /^(\d{1,8}) /.exec(content.toString('latin1', at, at + 9)) ?? [];
    const end = at + Number(digits);
    const record = content.toString('utf8', at + head.length, end - 1);
    const equals = record.indexOf('=');
    if (head === '' || end > content.length || equals < 1 || content[end - 1] !== 0x0a)
      throw refused(from, 'is damaged');
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at = end;
  }
  return records;
}

const refused = (from: string, why: string): PegboardError =>
  new PegboardError('PEG_DENIED', `${from} ${asSentence(why)}`);
