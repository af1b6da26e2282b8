import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PegboardError } from 'pegboard';
import { openFolder } from 'pegboard/files';
import { fileErrorInWords } from 'pegboard/kit';
import type { LeftOut } from './foreign-home.ts';

/** Bytes of one file. */
const maxFileBytes = 1_048_576;
/** Bytes of all files together. */
const maxBytes = 67_108_864;
/** Entries of one folder. */
const maxEntries = 2_000;

/** Reads a folder that somebody else wrote. No link is followed, no file beyond the limits is read. */
export interface ForeignFolder {
  /** Absolute and real. */
  readonly path: string;
  /** Undefined: there is no such file, or it was left out. */
  bytes(name: string): Buffer | undefined;
  /** The same as UTF-8, without a byte order mark. What isn't UTF-8 is left out. */
  text(name: string): string | undefined;
  /**
   * Names of the files and folders in a folder, sorted. A missing folder has none. Links and what else is neither are left
   * out, except in the whole, and in the list as `other`. "" is the whole.
   */
  list(name: string): readonly { readonly name: string; readonly kind: 'file' | 'folder' | 'other' }[];
  /** What was left out so far. */
  readonly leftOut: readonly LeftOut[];
}

/** Throws ENOENT when there is no such folder, and PEG_USAGE for a file. */
export function openForeignFolder(folder: string): ForeignFolder {
  const path = realpathSync(folder);
  if (!statSync(path).isDirectory())
    throw new PegboardError('PEG_USAGE', `${folder} is a file, and the home of a program is a folder.`);
  const leftOut: LeftOut[] = [];
  let total = 0;
  const leave = (from: string, why: string): undefined => {
    if (!leftOut.some((one) => one.from === from)) leftOut.push({ what: 'file', from, why });
    return undefined;
  };

  const bytes = (name: string): Buffer | undefined => {
    try {
      const target = join(path, name);
      using parent = openFolder(dirname(target));
      const content = readRegular(join(parent.path, target.slice(dirname(target).length + 1)));
      if (typeof content === 'string') return leave(name, content);
      total += content.length;
      return total > maxBytes ? leave(name, 'the folder holds more than 64 MB of files') : content;
    } catch (cause) {
      return isMissing(cause) ? undefined : leave(name, reason(cause));
    }
  };
  return {
    path,
    leftOut,
    bytes,
    text(name) {
      const content = bytes(name);
      if (!content) return undefined;
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(content);
      } catch {
        return leave(name, 'it is not UTF-8 text');
      }
    },
    list(name) {
      try {
        using opened = openFolder(join(path, name));
        const entries = readdirSync(opened.path, { withFileTypes: true });
        if (entries.length > maxEntries)
          leave(name, `only ${maxEntries} of its ${entries.length} entries are read`);
        for (const entry of entries)
          // What stands beside the folders of a home has nothing to do with it.
          if (name !== '' && !entry.isFile() && !entry.isDirectory())
            leave(`${name}/${entry.name}`, entry.isSymbolicLink() ? isLink : notRegular);
        return entries
          .map((entry) => ({
            name: entry.name,
            kind: entry.isFile()
              ? ('file' as const)
              : entry.isDirectory()
                ? ('folder' as const)
                : ('other' as const),
          }))
          .toSorted((a, b) => (a.name < b.name ? -1 : 1))
          .slice(0, maxEntries);
      } catch (cause) {
        if (!isMissing(cause)) leave(name, reason(cause));
        return [];
      }
    },
  };
}

/** The content, or why it is not read. */
function readRegular(path: string): Buffer | string {
  // Must not wait for a writer if it is a pipe.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) return notRegular;
    const buffer = Buffer.alloc(maxFileBytes + 1);
    let size = 0;
    for (;;) {
      const read = readSync(descriptor, buffer, size, buffer.length - size, null);
      size += read;
      if (size > maxFileBytes) return 'it has more than 1 MB';
      if (read === 0) return buffer.subarray(0, size);
    }
  } finally {
    closeSync(descriptor);
  }
}

const isMissing = (cause: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '');

const reason = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException).code === 'ELOOP'
    ? isLink
    : cause instanceof PegboardError
      ? 'a folder in its path is a link, or is no folder: links are not followed'
      : fileErrorInWords(cause);

const isLink = 'it is a link, and links are not followed';
const notRegular = 'it is not a regular file';
