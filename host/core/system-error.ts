import { basename, dirname } from 'node:path';
import { isDraft } from './files/draft.ts';
import { PegboardError } from './errors.ts';

/** What users can do about errors of the operating system. */
const advice: { readonly [code: string]: (path: string) => string } = {
  EACCES: (path) => `Access to ${path} was denied: check its permissions and those of its folder.`,
  EPERM: (path) => `Access to ${path} was denied: check its permissions and those of its folder.`,
  EROFS: (path) => `${path} lies on a disk that is read-only: make it writable, or use another home.`,
  ENOSPC: (path) => `There is no space left on the disk of ${path}: make room and try again.`,
  EDQUOT: (path) => `There is no space left for you on the disk of ${path}: make room and try again.`,
};

/**
 * An error of the file system as a message for the user. Undefined for other errors, which may be bugs and belong into
 * the log.
 */
export function explainSystemError(cause: unknown): PegboardError | undefined {
  const { code = '', path } = (cause ?? {}) as NodeJS.ErrnoException;
  if (path === undefined || !Object.hasOwn(advice, code)) return undefined;
  const shown = isDraft(basename(path)) ? dirname(path) : path;
  return new PegboardError('PEG_FILES', advice[code]!(shown));
}
