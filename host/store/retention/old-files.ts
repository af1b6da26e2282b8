import { glob, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteOldest } from '../files/artifacts.ts';

const dayMs = 86_400_000;

/** Files and folders in `data/` that are removed so many days after their last change. */
const rules: readonly { readonly files: string; readonly days: number }[] = [
  // Set aside on request.
  { files: 'logs/archive/*', days: 90 },
  // What a process that died was just making.
  { files: 'backups/*.unfinished', days: 1 },
  // From before the tables were changed; the newer daily copies have all of it.
  { files: 'backups/pegboard-version-*.db', days: 90 },
];

/** Removes what is too old, one file after the other. Returns how many; a file that is gone already is no problem. */
export async function sweepFiles(data: string, now: number, signal: AbortSignal): Promise<number> {
  let removed = await deleteOldest(join(data, 'artifacts'), 0, { now });
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
