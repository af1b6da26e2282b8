import { hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writePrivateFile } from '../../core/files/json-file.ts';
import { userStateFolder, type User } from '../../core/platform/places.ts';

const markOf = (file: string, user: User): string =>
  join(userStateFolder(user), 'made-folders', `${hash('sha256', file).slice(0, 32)}.json`);

/** Notes the outermost folder that Pegboard has made for a file of another program. */
export const noteMadeFolder = (file: string, folder: string, user: User): Promise<void> =>
  writePrivateFile(markOf(file, user), `${JSON.stringify({ file, folder }, null, 2)}\n`);

/** The folder that was noted for the file, once. */
export async function takeMadeFolder(file: string, user: User): Promise<string | undefined> {
  const { folder } = (readJsonFile(markOf(file, user)) ?? {}) as { readonly folder?: string };
  await rm(markOf(file, user), { force: true });
  return folder;
}
