import { constants, type BigIntStats } from 'node:fs';
import { link, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { PegboardError } from 'pegboard';
import { draftName, replaceByRename } from 'pegboard/files';
import { toState, type FileState } from '../files.ts';
import type { OpenedPath } from '../access/descent.ts';

/**
 * Writes `bytes` to the path of `reached` atomically, even if the machine stops in between. An existing file keeps its
 * mode and owner. Rejects with EEXIST when a file has appeared where there was none, and when its folder is missing.
 */
export async function replaceFile(
  { path, folder, name, stats }: OpenedPath,
  bytes: Uint8Array,
): Promise<FileState> {
  if (folder === undefined) throw new PegboardError('PEG_TOOL_FAILED', `The folder of ${path} is missing.`);
  const target = `${folder}/${name}`;
  const draft = `${folder}/${draftName()}`;
  const state = await writeDraft(draft, bytes, stats);
  try {
    if (stats) await replaceByRename(draft, target);
    else await moveToFree(draft, target);
  } catch (cause) {
    await unlink(draft);
    throw cause;
  }
  return state;
}

async function writeDraft(
  draft: string,
  bytes: Uint8Array,
  old: BigIntStats | undefined,
): Promise<FileState> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  await using handle = await open(draft, flags, 0o666);
  try {
    if (old) await keepOwnerAndMode(handle, old);
    await handle.writeFile(bytes);
    await handle.sync();
    return await toState(await handle.stat({ bigint: true }), bytes);
  } catch (cause) {
    await unlink(draft);
    throw cause;
  }
}

async function keepOwnerAndMode(handle: FileHandle, { mode, uid, gid }: BigIntStats): Promise<void> {
  const now = await handle.stat({ bigint: true });
  if (now.uid !== uid || now.gid !== gid) await handle.chown(Number(uid), Number(gid));
  await handle.chmod(Number(mode & 0o7777n));
}

/** Linking fails where renaming would overwrite. Some file systems have no links. */
async function moveToFree(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target);
  } catch (cause) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes((cause as NodeJS.ErrnoException).code ?? ''))
      throw cause;
    return rename(draft, target);
  }
  await unlink(draft);
}
