import { basename, relative, sep } from 'node:path';
import { PegboardError } from 'pegboard';
import { mayHoldSecrets } from 'pegboard/files';
import type { Roots } from './roots.ts';

/**
 * Why a person has to confirm before a file is shown, if at all. Such a file is never shown in a preview. `path` is real: symlinks are resolved. Throws
 * PEG_DENIED for files of Pegboard itself, which no file tool may access.
 */
export function secretReason(roots: Roots, path: string): string | undefined {
  if (isDenied(roots, path)) {
    throw new PegboardError(
      'PEG_DENIED',
      `${path} belongs to Pegboard itself (state, secrets, approvals, logs); file tools don't touch it.`,
    );
  }
  return mayHoldSecrets(path) ? `${basename(path)} may hold secrets.` : undefined;
}

export function isDenied({ denied }: Roots, path: string): boolean {
  return denied.some((place) => {
    const way = relative(place, path);
    return way === '' || (way.split(sep)[0] !== '..' && !way.startsWith(sep));
  });
}
