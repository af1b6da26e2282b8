import { randomBytes } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesInFolder, systemPath } from '../platform/byte-names.ts';
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

/** Whether there is a draft at this path whose writer is gone. */
export function isAbandonedDraft(path: string): boolean {
  const [, owner] = pattern.exec(basename(path)) ?? [];
  if (owner === undefined) return false;
  try {
    return isAbandoned(decodeURIComponent(owner), lstatSync(systemPath(path)).mtime.toISOString());
  } catch {
    // Another process has removed it.
    return false;
  }
}

/** Removes the drafts of dead processes, files or folders, from a folder. One that can't be read or written keeps them. */
export function removeAbandonedDrafts(folder: string): void {
  try {
    for (const name of namesInFolder(folder).filter(isDraft)) {
      const path = join(folder, name);
      if (isAbandonedDraft(path)) rmSync(systemPath(path), { recursive: true, force: true });
    }
  } catch {}
}
