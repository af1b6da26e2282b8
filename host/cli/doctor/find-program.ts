import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The first program of that name on the PATH, or undefined. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
