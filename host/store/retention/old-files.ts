import { glob, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteOldest } from '../files/artifacts.ts';
import { isPicture } from '../files/pictures.ts';

const dayMs = 86_400_000;

/** Files and folders in `data/`, with the number of days after their last change until they are removed. */
const rules: readonly { readonly files: string; readonly days: number }[] = [
  // Set aside on request.
  { files: 'logs/archive/*', days: 90 },
  // Sent in the chats of the page.
  { files: 'page/*', days: 90 },
  // What models of conversations that nobody continued would have been told.
  { files: 'undo/news/*', days: 90 },
  // Unfinished files of a process that died.
  { files: 'backups/*.unfinished', days: 1 },
  // Copies from before migrations; newer daily copies contain everything in them.
  { files: 'backups/pegboard-version-*.db', days: 90 },
];

/** Removes old files, one after the other. Returns how many; missing files are ignored. */
export async function sweepFiles(data: string, now: number, signal: AbortSignal): Promise<number> {
  let removed =
    (await deleteOldest(join(data, 'artifacts'), 0, { now })) +
    (await deleteOldest(join(data, 'pictures'), 0, { now, isOwn: isPicture }));
  for (const { files, days } of rules) {
    for await (const file of glob(files, { cwd: data })) {
      signal.throwIfAborted();
      const path = join(data, file);
      const { mtimeMs = now } = (await stat(path).catch(() => undefined)) ?? {};
      if (now - mtimeMs <= days * dayMs) continue;
      await rm(path, { recursive: true, force: true });
      removed++;
    }
  }
  return removed;
}
