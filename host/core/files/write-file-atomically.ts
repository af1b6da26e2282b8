import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceByRename } from '../platform/renames.ts';
import { draftName } from './draft.ts';

/** Writes atomically with exactly these permissions. A symbolic link is replaced, not followed. */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode: number,
): Promise<void> {
  const draft = join(dirname(path), draftName());
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await replaceByRename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    throw cause;
  }
}
