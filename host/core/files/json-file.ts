import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseJson, toJson } from '../documents/written-numbers.ts';
import { readRegularFile } from './regular-file.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** The content of the file. Undefined when it is missing, unreadable, truncated or not a JSON object. */
export function readJsonFile(path: string): unknown {
  try {
    return parseJson(readRegularFile(path).toString('utf8'));
  } catch {
    return undefined;
  }
}

export const writeJsonFile = (path: string, value: unknown): Promise<void> =>
  writePrivateFile(path, toJson(value));

/** Writes atomically, for this user only: 0600 in a 0700 folder. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomically(path, text, 0o600);
}
