import { randomBytes } from 'node:crypto';
import { isAbandoned, thisProcess } from '../processes/owner.ts';

/**
 * The name of a temporary file that replaces another one when complete. It contains its writer, so that files of dead
 * processes can be recognized.
 */
export const draftName = (): string =>
  `.pegboard-${encodeURIComponent(thisProcess)}-${randomBytes(6).toString('hex')}.tmp`;

const pattern = /^\.pegboard-(.+)-[0-9a-f]{12}\.tmp$/;

/** Whether a file name is one of these. */
export const isDraft = (name: string): boolean => pattern.test(name);

/** Whether the writer of the draft is gone. `writtenAt` is ISO 8601. */
export function isAbandonedDraft(name: string, writtenAt: () => string): boolean {
  const [, owner] = pattern.exec(name) ?? [];
  return owner !== undefined && isAbandoned(decodeURIComponent(owner), writtenAt());
}
