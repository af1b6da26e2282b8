import { mkdir, open, rename, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { draftName } from './draft.ts';

/** What the file holds, or undefined when it is missing, unreadable, cut short or no JSON object. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export const writeJsonFile = (path: string, value: unknown): Promise<void> =>
  writePrivateFile(path, JSON.stringify(value));

/** Whole or not at all, for this user only: 0600 in a 0700 folder. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(path), draftName());
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    throw cause;
  }
}
