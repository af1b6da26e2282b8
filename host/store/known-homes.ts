import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writePrivateFile } from '../core/json-file.ts';
import { userStateFolder } from '../core/state-folder.ts';
import { realPathOf } from '../core/paths.ts';
import { userStateOf } from './user-state.ts';

/** A home whose files this user lets run. */
export interface KnownHome {
  /** Its real path. */
  readonly path: string;
  /** ISO 8601 */
  readonly since: string;
}

const markOf = (home: string): string => join(userStateOf(home), 'home.json');

/** Did this user say so? A file in the user's own state folder, of which the name and the content follow from the path. */
export const isKnownHome = (home: string): boolean => readMark(markOf(home))?.path === realPathOf(home);

export const rememberHome = (home: string): Promise<void> => {
  const known: KnownHome = { path: realPathOf(home), since: new Date().toISOString() };
  return writePrivateFile(markOf(home), `${JSON.stringify(known, null, 2)}\n`);
};

/** What was approved in it stays, and counts again when it is known again. False: it was not known. */
export async function forgetHome(home: string): Promise<boolean> {
  const there = isKnownHome(home);
  await rm(markOf(home), { force: true });
  return there;
}

/** By their paths. */
export function listKnownHomes(): readonly KnownHome[] {
  const folder = join(userStateFolder(), 'homes');
  return namesIn(folder)
    .flatMap((name) => readMark(join(folder, name, 'home.json')) ?? [])
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readMark(file: string): KnownHome | undefined {
  const { path, since } = (readJsonFile(file) ?? {}) as Partial<KnownHome>;
  return typeof path === 'string' && typeof since === 'string' ? { path, since } : undefined;
}
