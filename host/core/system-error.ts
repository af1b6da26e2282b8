import { basename, dirname } from 'node:path';
import { isDraft } from './files/draft.ts';
import { messageOf, PegboardError } from './errors.ts';

/** What users can do about errors of the operating system. */
const advice: { readonly [code: string]: (path: string) => string } = {
  EACCES: (path) => `Access to ${path} was denied: check its permissions and those of its folder.`,
  EPERM: (path) => `Access to ${path} was denied: check its permissions and those of its folder.`,
  EROFS: (path) => `${path} lies on a disk that is read-only: make it writable, or use another home.`,
  ENOSPC: (path) => `There is no space left on the disk of ${path}: make room and try again.`,
  ENOTDIR: (path) =>
    `${path} can't be there: a file is in the place of a folder above it. Move that file away.`,
  EISDIR: (path) => `${path} is a folder, and a file is needed there. Move the folder away.`,
  ELOOP: (path) => `${path} leads through links that lead back to themselves: correct them.`,
  ENAMETOOLONG: (path) => `The name ${path} is longer than the system allows: use a shorter one.`,
  EDQUOT: (path) => `There is no space left for you on the disk of ${path}: make room and try again.`,
};

interface SystemError extends NodeJS.ErrnoException {
  /** Of two paths, the one that is written. */
  readonly dest?: string;
}

/**
 * An error of the file system as a message for the user, which names `place` or else the path of the error itself.
 * Undefined for other errors, which may be bugs and belong into the log.
 */
export function explainSystemError(cause: unknown, place?: string): PegboardError | undefined {
  const { code = '', syscall = '', path: from, dest } = (cause ?? {}) as SystemError;
  if (!Object.hasOwn(advice, code)) return undefined;
  const path = diskCodes.has(code) ? (dest ?? from) : from;
  const shown = place ?? (path === undefined ? undefined : shownPath(path));
  if (shown !== undefined) return new PegboardError('PEG_FILES', advice[code]!(shown));
  return diskCodes.has(code) || onDescriptors.has(syscall)
    ? new PegboardError('PEG_FILES', advice[code]!('a file that Pegboard writes'))
    : undefined;
}

/** Nothing but disks fails in these ways. */
const diskCodes: ReadonlySet<string> = new Set(['EROFS', 'ENOSPC', 'EDQUOT']);
/** Calls that know no path. With these codes they fail for files only, unlike those for sockets and processes. */
const onDescriptors: ReadonlySet<string> = new Set(['ftruncate', 'fsync', 'fdatasync', 'fchmod', 'fchown']);

/** Of a draft its folder, and of a file that was reached through an open folder its name. */
function shownPath(path: string): string {
  const place = isDraft(basename(path)) ? dirname(path) : path;
  return place.replace(/^\/proc\/self\/fd\/\d+\//, '');
}

/** Reasons as they follow "can't be read: ". */
const reasons: { readonly [code: string]: string } = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a file is in the place of a folder above it',
  ELOOP: 'its links lead back to themselves',
  ENXIO: 'it is not a regular file',
  EROFS: 'its disk is read-only',
  ENOSPC: 'there is no space left on its disk',
  EDQUOT: 'there is no space left for you on its disk',
  ENAMETOOLONG: 'its name is longer than the system allows',
  EMFILE: 'this process has too many files open',
  EBUSY: 'another program uses it',
  EIO: 'its disk failed',
};

/** Why a file or folder could not be used, in words, without a full stop. */
export function fileErrorInWords(cause: unknown): string {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  return Object.hasOwn(reasons, code) ? reasons[code]! : messageOf(cause);
}
