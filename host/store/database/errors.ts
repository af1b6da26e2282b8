import { pegboard } from '../../core/own-command.ts';
import { PegboardError, messageOf } from '../../core/errors.ts';

const damaged = (): string =>
  `the file is damaged: stop every Pegboard of this home. The next start puts the newest backup in its place and keeps the damaged file; \`${pegboard} doctor\` shows what there is`;

/** SQLite's primary result codes that a user can do something about. */
const advice: { readonly [code: number]: (path: string) => string } = {
  5: () => 'another process kept it locked for longer than 5 s: try again, or stop that process',
  8: () => 'it is not writable: check its permissions and those of its folder',
  10: () => 'the disk reports an error: check it, and the free space on it',
  11: damaged,
  13: () => 'the disk is full: make room and try again',
  14: () => 'it could not be opened: check its permissions and those of its folder',
  26: damaged,
};

/**
 * Converts an error of SQLite to one for the user. Anything else, such as a mistake in a query, is returned unchanged.
 */
export function explainDatabaseError(path: string, cause: unknown): unknown {
  const { errcode } = cause as { readonly errcode?: number };
  if (errcode === undefined) return cause;
  const explain = advice[errcode & 0xff];
  if (!explain) return cause;
  return new PegboardError(
    'PEG_DATABASE',
    `The database ${path} failed (${messageOf(cause)}): ${explain(path)}.`,
    {
      cause,
    },
  );
}

/** Whether it is locked by another process, which may release it at any moment. */
export function isBusy(cause: unknown): boolean {
  return ((cause as { readonly errcode?: number }).errcode ?? 0) % 256 === 5;
}
