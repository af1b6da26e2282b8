import { hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toJson } from 'pegboard';
import { userStateFolder, type User } from 'pegboard/files';
import { readJsonFile, writePrivateFile } from 'pegboard/kit';

const markOf = (file: string, user: User): string =>
  join(userStateFolder(user), 'made-folders', `${hash('sha256', file).slice(0, 32)}.json`);

/** Notes the outermost folder that Pegboard has made for a file of another program. */
export const noteMadeFolder = (file: string, folder: string, user: User): Promise<void> =>
  writePrivateFile(markOf(file, user), `${toJson({ file, folder }, 2)}\n`);

/** The folder that was noted for the file, once. */
export async function takeMadeFolder(file: string, user: User): Promise<string | undefined> {
  const { folder } = (readJsonFile(markOf(file, user)) ?? {}) as { readonly folder?: string };
  await rm(markOf(file, user), { force: true });
  return folder;
}
