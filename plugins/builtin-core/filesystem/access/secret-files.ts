import { PegboardError } from 'pegboard';
import { judgeRead } from 'pegboard/files';
import type { Roots } from './roots.ts';

/**
 * Why a person has to confirm before a file is shown, if at all. Such a file is never shown in a preview. `path` is real: symlinks are resolved. Throws
 * PEG_DENIED for files of Pegboard itself, which no file tool may access.
 */
export function secretReason({ readable }: Roots, path: string): string | undefined {
  const { class: kind, reason } = judgeRead(path, readable);
  if (kind === 'denied') throw new PegboardError('PEG_DENIED', `${reason}; file tools don't touch it.`);
  return kind === 'secret' ? reason : undefined;
}

export const isDenied = ({ readable }: Roots, path: string): boolean =>
  judgeRead(path, readable).class === 'denied';
