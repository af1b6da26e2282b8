import { gunzipSync } from 'node:zlib';
import { Parser } from 'tar/parse';
import type { ReadEntry } from 'tar/read-entry';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { maxOwnBytes } from './limits.ts';
import { collectFiles, stepsOf, tooLarge, type PackageFiles } from './package-files.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

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
  const found: { readonly entry: ReadEntry; readonly parts: Buffer[] }[] = [];
  const parser = new Parser({
    strict: true,
    // What is compressed twice is not unpacked twice.
    maxDecompressionRatio: 0,
    onReadEntry(entry) {
      const parts: Buffer[] = [];
      found.push({ entry, parts });
      entry.on('data', (part) => parts.push(part));
    },
  });
  let isWhole = false;
  parser.on('eof', () => (isWhole = true));
  parser.on('ignoredEntry', (entry: ReadEntry) => found.push({ entry, parts: [] }));
  try {
    parser.end(archive);
  } catch (cause) {
    const isCutOff = messageOf(cause).includes('Truncated');
    throw refused(from, isCutOff ? 'is cut off' : 'is damaged, or no tar archive');
  }
  if (!isWhole) throw refused(from, 'is cut off');
  const collector = collectFiles(from);
  for (const { entry, parts } of found) {
    const { path: name, type } = entry;
    checkShared(entry.globalExtended, from);
    if (type === 'Link' || type === 'SymbolicLink' || entry.linkpath)
      throw refused(from, `has a link, ${shownLine(name)}: plugins consist of files and folders`);
    if (type === 'Directory') continue;
    if (type !== 'File' && type !== 'OldFile')
      throw refused(from, `has an entry of the kind "${type}", ${shownLine(name)}`);
    const [, ...inner] = stepsOf(name, from);
    const own = outermost && inner.length > 0 ? inner.join('/') : name;
    collector.add(own, { content: Buffer.concat(parts), isExecutable: ((entry.mode ?? 0) & 0o100) !== 0 });
  }
  return collector.files;
}

/** Of records for all files that follow, git has the commit in "comment". */
function checkShared(records: ReadEntry['globalExtended'], from: string): void {
  for (const [key, value] of Object.entries(records ?? {}))
    if (value !== undefined && key !== 'comment' && key !== 'global')
      throw refused(from, `has settings for all of its files ("${key}")`);
}

const refused = (from: string, why: string): PegboardError =>
  new PegboardError('PEG_DENIED', `${from} ${asSentence(why)}`);
