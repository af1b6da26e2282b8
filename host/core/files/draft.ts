import { randomBytes } from 'node:crypto';
import { isAbandoned, thisProcess } from '../processes/owner.ts';

/**
 * A name for a file that takes another one's place when it is whole. It says who writes it, so that what a process left
 * unfinished when it died can be told from what is being written.
 */
export const draftName = (): string =>
  `.pegboard-${encodeURIComponent(thisProcess)}-${randomBytes(6).toString('hex')}.tmp`;

const pattern = /^\.pegboard-(.+)-[0-9a-f]{12}\.tmp$/;

/** Is a file of this name one of these? */
export const isDraft = (name: string): boolean => pattern.test(name);

/** Is the file of this name a draft that nobody will finish? `writtenAt` is ISO 8601. */
export function isAbandonedDraft(name: string, writtenAt: () => string): boolean {
  const [, owner] = pattern.exec(name) ?? [];
  return owner !== undefined && isAbandoned(decodeURIComponent(owner), writtenAt());
}
