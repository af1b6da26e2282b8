import { PegboardError } from 'pegboard';
import { diffOf } from 'pegboard/files';
import { countLines } from '../large/text-lines.ts';

export interface PreviewOptions {
  readonly isSecret: boolean;
  /** Somebody is asked about it; about a guarded file, every time. */
  readonly asks: 'nobody' | 'once' | 'always';
}

interface Shown extends PreviewOptions {
  readonly before: string | undefined;
  readonly after: string;
}

/** Maximum lines of a difference in a question. */
const maxAskedLines = 2_000;
/** Maximum characters of a difference in a question about a guarded file. Nothing of it is left out. */
const maxGuardedLength = 100_000;
/** Maximum characters of any other difference. */
const maxLength = 100_000;

/** What a person is shown of a change. Throws PEG_LIMIT for one that can't be shown whole and must be. */
export function previewOf(path: string, { before, after, isSecret, asks }: Shown): string {
  const verb = before === undefined ? 'create' : 'change';
  if (isSecret) return `${verb} ${path} (${linesIn(after)}; the content may be secret and is not shown)`;
  if (before === after) return `${verb} ${path} (no difference)`;
  const isGuarded = asks === 'always';
  const difference = diffOf(
    before ?? '',
    after,
    asks === 'nobody' ? {} : { maxLines: isGuarded ? Infinity : maxAskedLines },
  );
  if (isGuarded && difference.length > maxGuardedLength) {
    throw new PegboardError(
      'PEG_LIMIT',
      `The difference in ${path} has ${difference.length.toLocaleString('en')} characters, more than a person can look through. Make it in several steps.`,
    );
  }
  if (difference.length <= maxLength) return `${verb} ${path}\n${difference}`;
  return `${verb} ${path}\n${difference.slice(0, maxLength)}\n… ${(difference.length - maxLength).toLocaleString('en')} more characters of this diff`;
}

/** "1 line", "20 lines" */
export function linesIn(text: string): string {
  const count = countLines(text);
  return count === 1 ? '1 line' : `${count} lines`;
}
