import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type BigIntStats,
} from 'node:fs';
import { systemPath, textOfName } from 'pegboard/kit';

/** What is at a path. Of files, `hash` is the SHA-256 of the content, where it was read. */
export type FileState =
  | { readonly type: 'absent' }
  | { readonly type: 'folder'; readonly mode: number }
  | { readonly type: 'link'; readonly target: string }
  | {
      readonly type: 'file';
      readonly mode: number;
      readonly size: number;
      /** Inode, size and times. Another one may have the same content. */
      readonly version: string;
      readonly hash?: string;
    }
  /** A folder whose contents are not looked at, such as node_modules. */
  | { readonly type: 'skipped' }
  /** A device, pipe or socket. */
  | { readonly type: 'other' };

export type StoredFile = Extract<FileState, { readonly type: 'file' }>;

/** Whether nothing that can be restored differs. */
export function isSameState(a: FileState, b: FileState): boolean {
  if (a.type === 'file' && b.type === 'file')
    return a.mode === b.mode && (a.hash && b.hash ? a.hash === b.hash : a.version === b.version);
  if (a.type === 'folder' && b.type === 'folder') return a.mode === b.mode;
  if (a.type === 'link' && b.type === 'link') return a.target === b.target;
  // Its mode isn't recorded.
  if (a.type === 'skipped' || b.type === 'skipped') return [a, b].every(isFolderState);
  return a.type === b.type;
}

const isFolderState = ({ type }: FileState): boolean => type === 'folder' || type === 'skipped';

/** Whether it is the same file and was not written to. Another name of it may have come or gone. */
export function isSameFile(a: StoredFile, b: StoredFile): boolean {
  const written = ({ mode, version }: StoredFile): string => [mode, ...version.split('.').slice(0, 3)].join();
  return written(a) === written(b);
}

/** An entry of a folder, without the content of a file. */
export interface Seen {
  readonly state: FileState;
  /** When its content, mode or name was last changed. Milliseconds since 1970. */
  readonly changedAt: number;
}

export const absent: Seen = { state: { type: 'absent' }, changedAt: 0 };

/** `at` is a path for system calls; the last name is not followed if it is a link. */
export function lookAt(at: string): Seen {
  const stats = lstatSync(systemPath(at), { bigint: true, throwIfNoEntry: false });
  return stats ? { state: stateOf(at, stats), changedAt: Number(stats.ctimeMs) } : absent;
}

function stateOf(at: string, stats: BigIntStats): FileState {
  const mode = Number(stats.mode & 0o7777n);
  if (stats.isDirectory()) return { type: 'folder', mode };
  if (stats.isFile()) return { type: 'file', mode, size: Number(stats.size), version: versionOf(stats) };
  return stats.isSymbolicLink() ? { type: 'link', target: targetOf(at) } : { type: 'other' };
}

const versionOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join('.');

const targetOf = (at: string): string => textOfName(readlinkSync(systemPath(at), 'buffer'));

/** The content of a regular file. Undefined when something else is there now, it is too large, or can't be read. */
export function contentAt(at: string, maxBytes: number): Buffer | undefined {
  let descriptor;
  try {
    descriptor = openSync(systemPath(at), readFlags);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Follows no link, and doesn't wait for the other end of a pipe. Windows has neither flag. */
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
