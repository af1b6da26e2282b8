import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A folder that all processes of a test run share: whoever needs it first makes it, and the others wait. `make` gets the
 * folder while nobody else sees it.
 */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const made = join(process.env['PEGBOARD_TEST_SHARED']!, name);
  const begun = `${made}.begun`;
  for (;;) {
    if (existsSync(made)) return made;
    if (isFirst(begun)) break;
    await sleep(200);
  }
  try {
    if (!existsSync(made)) {
      const folder = `${made}.making`;
      mkdirSync(folder, { recursive: true });
      await make(folder);
      renameSync(folder, made);
    }
    return made;
  } finally {
    rmdirSync(begun);
  }
}

function isFirst(begun: string): boolean {
  try {
    mkdirSync(begun);
    return true;
  } catch {
    return false;
  }
}
