import { link, lstat, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceByRename } from '../platform/renames.ts';
import { draftName } from './draft.ts';
import { withRealPath } from './open-folder.ts';

type Content = string | Uint8Array;

/** Writes atomically with exactly these permissions. A symbolic link is replaced, not followed. */
export function writeFileAtomically(path: string, content: Content, mode: number): Promise<void> {
  return throughDraft(path, content, { mode }, replaceByRename);
}

/**
 * Writes a new file, complete or not at all, with these permissions less the umask. Rejects with EEXIST where something
 * is already.
 */
export function createFile(path: string, content: Content, mode = 0o666): Promise<void> {
  return throughDraft(path, content, { mode, isNew: true }, moveToFree);
}

async function throughDraft(
  path: string,
  content: Content,
  { mode, isNew = false }: { readonly mode: number; readonly isNew?: boolean },
  move: (draft: string, path: string) => Promise<void>,
): Promise<void> {
  const draft = join(dirname(path), draftName());
  try {
    if (isNew && (await isTaken(path))) throw alreadyThere(path);
    const file = await open(draft, 'wx', isNew ? mode : 0o600);
    try {
      await file.writeFile(content);
      if (!isNew) await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await move(draft, path);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    throw withRealPath(cause, path);
  }
}

/** Linking fails where renaming would overwrite. Some file systems have no links. */
async function moveToFree(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (cause) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((cause as NodeJS.ErrnoException).code ?? ''))
      throw cause;
    if (await isTaken(path)) throw alreadyThere(path);
    return await replaceByRename(draft, path);
  }
  // The file is there: a second name of it is no failure.
  await rm(draft, { force: true }).catch(() => {});
}

async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw cause;
  }
}

const alreadyThere = (path: string): Error =>
  Object.assign(new Error(`EEXIST: file already exists, '${path}'`), { code: 'EEXIST', path });
