import { rename } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { thisPlatform } from './this-platform.ts';

/** Milliseconds between attempts, and how many there are: a second in all. */
const pauseMs = 50;
const maxAttempts = 20;

/** What Windows says while another program, often a virus scanner, has one of the files open. */
const inUse = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Puts the file `from` in the place of `to`, in one step. Windows refuses that as long as somebody reads either of them,
 * so there it tries again.
 */
export async function replaceByRename<Path extends string | Buffer>(
  from: Path,
  to: Path,
  platform: NodeJS.Platform = thisPlatform,
  move: (from: Path, to: Path) => Promise<void> = rename,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await move(from, to);
    } catch (cause) {
      const isPassing = platform === 'win32' && inUse.has((cause as NodeJS.ErrnoException).code ?? '');
      if (!isPassing || attempt === maxAttempts) throw cause;
    }
    await delay(pauseMs);
  }
}
