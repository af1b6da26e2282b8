import { join } from 'node:path';
import type { KnownFolders } from '../../api/known-folders.ts';
import { PegboardError } from '../../core/errors.ts';
import { openFolder } from '../../core/files/open-folder.ts';
import { createFile } from '../../core/files/write-file-atomically.ts';
import { judgeWrite } from '../../core/files/write-boundary.ts';

interface FileToKeep {
  readonly bytes: Buffer;
  /** The name given by the sender. */
  readonly name: string;
  /** The service's unique id. */
  readonly id: string;
}

/**
 * Saves a file in a folder of the workspace under a sanitised name, and returns its absolute path. Throws PEG_DENIED when
 * the workspace is not a real folder, or a file of that name could be executed.
 */
export async function keepFile(
  { bytes, name, id }: FileToKeep,
  folder: string,
  places: KnownFolders,
): Promise<string> {
  const [workspace] = places.workspaces;
  if (workspace === undefined) throw new PegboardError('PEG_DENIED', 'the agent has no workspace');
  const path = join(workspace, folder, nameFor(name, id));
  const { class: kind, reason } = judgeWrite(path, places);
  if (kind !== 'free') throw new PegboardError('PEG_DENIED', reason);
  using held = openFolder(join(workspace, folder), { make: true });
  // If the home is a git clone, git ignores the folder.
  await writeNew(`${held.path}/.gitignore`, '*\n');
  await writeNew(`${held.path}/${nameFor(name, id)}`, bytes);
  return path;
}

function nameFor(name: string, id: string): string {
  const safe =
    name
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
      .replace(/^[.-]+/, '')
      .slice(-80) || 'file';
  const stamp = new Date().toISOString().slice(0, 10);
  return `${stamp}-${id.replaceAll(/\W/g, '').slice(-8)}-${safe}`;
}

/** Doesn't overwrite: an existing file is the same file received again, or not Pegboard's. */
async function writeNew(path: string, content: string | Buffer): Promise<void> {
  try {
    await createFile(path, content);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
}
