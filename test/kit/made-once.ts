import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const sharedPath = (name: string): string => join(process.env['PEGBOARD_TEST_SHARED']!, name);

/**
 * A folder that all processes of a test run share: whoever needs it first makes it, and the others wait. `make` gets the
 * folder while nobody else sees it.
 */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const made = sharedPath(name);
  for (;;) {
    if (existsSync(made)) return made;
    using turn = takeTurn(made);
    if (turn) {
      if (!existsSync(made)) {
        await make(turn.folder);
        renameSync(turn.folder, made);
      }
      return made;
    }
    await sleep(pollMs);
  }
}

/** The same for what is made without waiting, and for callers that can't wait. */
export function madeOnceSync(name: string, make: (folder: string) => void): string {
  const made = sharedPath(name);
  for (;;) {
    if (existsSync(made)) return made;
    using turn = takeTurn(made);
    if (turn) {
      if (!existsSync(made)) {
        make(turn.folder);
        renameSync(turn.folder, made);
      }
      return made;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
}

const pollMs = 200;

/** The folder to make, for the one process that makes it until the turn is disposed. */
function takeTurn(made: string): (Disposable & { readonly folder: string }) | undefined {
  const begun = `${made}.begun`;
  try {
    mkdirSync(begun);
  } catch {
    return undefined;
  }
  const folder = `${made}.making`;
  mkdirSync(folder, { recursive: true });
  return { folder, [Symbol.dispose]: () => rmdirSync(begun) };
}
