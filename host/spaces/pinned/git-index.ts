import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readRegularFile } from '../../core/files/regular-file.ts';

/** What git has checked out, by path in the repository: the mode and the id of the content, as "100644 e69de29…". */
export type GitIndex = ReadonlyMap<string, string>;

/**
 * Reads .git/index of the repository whose root `folder` is, without running git: a repository's own settings make git
 * run programs. Undefined where nothing was ever checked out. Throws for a format that it doesn't know.
 * https://git-scm.com/docs/index-format
 */
export function readGitIndex(folder: string): GitIndex | undefined {
  const gitFolder = gitFolderOf(folder);
  const file = gitFolder === undefined ? undefined : readIfThere(join(gitFolder, 'index'));
  if (gitFolder === undefined || file === undefined) return undefined;
  return parseIndex(file, idLengthIn(gitFolder));
}

/** `.git` may be a file that says where the folder is: worktrees and submodules have that. */
function gitFolderOf(folder: string): string | undefined {
  const path = join(folder, '.git');
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return found?.isDirectory() ? path : undefined;
  const [, target] = /^gitdir:\s*(.+?)\s*$/m.exec(readRegularFile(path).toString('utf8')) ?? [];
  return target === undefined ? undefined : resolve(folder, target);
}

const sha1Length = 20;
const sha256Length = 32;

function idLengthIn(gitFolder: string): number {
  const config = readIfThere(join(gitFolder, 'config'))?.toString('utf8') ?? '';
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? sha256Length : sha1Length;
}

/** Where an entry's mode and its content's id begin; before them are times and numbers of the file system. */
const modeAt = 24;
const idAt = 40;
const extended = 0x4000;

function parseIndex(file: Buffer, idLength: number): GitIndex {
  const version = file.readUInt32BE(4);
  if (file.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4)
    throw new Error('its git index has a format that is not known here');
  const entries = new Map<string, string>();
  let at = 12;
  let name: Buffer = Buffer.alloc(0);
  for (let count = file.readUInt32BE(8); count > 0; count--) {
    const mode = file.readUInt32BE(at + modeAt).toString(8);
    const id = file.toString('hex', at + idAt, at + idAt + idLength);
    const flags = file.readUInt16BE(at + idAt + idLength);
    const nameAt = at + idAt + idLength + (version > 2 && (flags & extended) !== 0 ? 4 : 2);
    if (version === 4) {
      const { value: dropped, next } = readOffset(file, nameAt);
      const end = endOfName(file, next);
      name = Buffer.concat([name.subarray(0, name.length - dropped), file.subarray(next, end)]);
      at = end + 1;
    } else {
      const end = endOfName(file, nameAt);
      name = file.subarray(nameAt, end);
      // One to eight zero bytes, so that an entry's length is a multiple of eight.
      at += Math.floor((end - at + 8) / 8) * 8;
    }
    entries.set(name.toString('utf8'), `${mode} ${id}`);
  }
  refuseSplit(file, at, idLength);
  return entries;
}

function endOfName(file: Buffer, from: number): number {
  const end = file.indexOf(0, from);
  if (end < 0) throw new Error('its git index is cut short');
  return end;
}

/** The variable width of pack files, in which each further byte adds one. */
function readOffset(file: Buffer, from: number): { readonly value: number; readonly next: number } {
  let at = from;
  let byte = file.readUInt8(at++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = file.readUInt8(at++);
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return { value, next: at };
}

/** Part of a split index is in another file. */
function refuseSplit(file: Buffer, from: number, idLength: number): void {
  for (let at = from; at + 8 <= file.length - idLength; at += 8 + file.readUInt32BE(at + 4)) {
    if (file.toString('latin1', at, at + 4) === 'link')
      throw new Error('its git index is split: run `git update-index --no-split-index` there');
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readRegularFile(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}
