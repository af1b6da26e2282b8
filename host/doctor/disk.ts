import { statfsSync } from 'node:fs';
import type { Check } from '../api/diagnostic.ts';
import { sizeOfData } from '../store/retention/data-size.ts';
import { describeSize } from '../status/describe-size.ts';
import { shortSize } from '../core/text/short-size.ts';
import { ok, warning } from '../status/check.ts';

/** Below this many free bytes a disk counts as full: a daily copy of the database needs room. */
const minFreeBytes = 500 * 1024 * 1024;

/** The size of `data/`, and whether there is room for more. */
export async function checkDisk(home: string): Promise<Check> {
  const taken = describeSize(await sizeOfData(home));
  const free = freeAt(home);
  if (free === undefined || free >= minFreeBytes) return ok('disk', `data/ takes ${taken}`);
  return warning(
    'disk',
    `only ${shortSize(free)} are free; data/ takes ${taken}`,
    'free some space: backups in data/backups that are no longer needed can be deleted',
  );
}

function freeAt(home: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(home);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
