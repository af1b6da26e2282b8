import { hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { configFiles } from '../../core/files/config-files.ts';
import { readJsonFile, writePrivateFile } from '../../core/files/json-file.ts';
import { userStateFolder, type User } from '../../core/platform/places.ts';
import { tryReadRegularFile } from '../../core/files/regular-file.ts';
import { realPathOf } from '../../core/files/paths.ts';
import { isProjectHome } from '../../core/files/project.ts';
import { userStateOf } from './user-state.ts';

/** A home whose files this user lets run. */
export interface KnownHome {
  /** Its real path. */
  readonly path: string;
  /** ISO 8601 */
  readonly since: string;
  /** The owner of the folder at that time; for a missing folder, the owner that it has to get. */
  readonly owner: number;
  /** The home was empty: anything in it that Pegboard didn't create has never been reviewed. */
  readonly wasEmpty?: true;
  /** Of a project's home: SHA-256 of each file that configures it, by its name. */
  readonly files?: { readonly [name: string]: string };
}

const markOf = (home: string, user: User): string => join(userStateOf(home, user), 'home.json');

/**
 * The user's record of a home: a file in the user's own state folder, whose name and content depend on the path. Also
 * undefined if the folder belongs to another user now.
 */
export function knownHome(home: string, user: User): KnownHome | undefined {
  const mark = readMark(markOf(home, user));
  return mark?.path === realPathOf(home) && mark.owner === ownerOf(mark.path) ? mark : undefined;
}

export const isKnownHome = (home: string, user: User): boolean => knownHome(home, user) !== undefined;

export const rememberHome = (
  home: string,
  user: User,
  {
    wasEmpty = false,
    files = watchedFiles(home, user),
  }: {
    readonly wasEmpty?: boolean;
    /** As they were when the user was shown the home. Default: as they are now. */
    readonly files?: KnownHome['files'];
  } = {},
): Promise<void> => {
  const path = realPathOf(home);
  const since = new Date().toISOString();
  const known: KnownHome = {
    path,
    since,
    owner: ownerOf(path),
    ...(wasEmpty && { wasEmpty }),
    ...(files && { files }),
  };
  return writePrivateFile(markOf(home, user), `${JSON.stringify(known, null, 2)}\n`);
};

/**
 * The files that configure a project's home and have changed since its user trusted it, as after a `git pull`. Empty for
 * other homes, which nobody else changes.
 */
export function changedSinceTrusted(home: string, user: User): readonly string[] {
  const { path, files } = knownHome(home, user) ?? {};
  if (path === undefined || !files) return [];
  const now = hashesIn(path);
  return watched.filter((name) => now[name] !== files[name]);
}

/** Changes files that configure a home for its user, who goes on trusting it if they did before. */
export async function keepingTrust<T>(home: string, user: User, change: () => Promise<T>): Promise<T> {
  const isKept =
    isProjectHome(home, user) && isKnownHome(home, user) && changedSinceTrusted(home, user).length === 0;
  const done = await change();
  if (isKept) await rememberHome(home, user, { wasEmpty: knownHome(home, user)?.wasEmpty === true });
  return done;
}

const watched: readonly string[] = [...configFiles, '.env'];

/** Hashes of the files whose changes make a project's home unknown again. Undefined for other homes. */
export const watchedFiles = (home: string, user: User): KnownHome['files'] =>
  isProjectHome(home, user) ? hashesIn(home) : undefined;

function hashesIn(home: string): { readonly [name: string]: string } {
  return Object.fromEntries(
    watched.flatMap((name) => {
      const text = tryReadRegularFile(join(home, name));
      return text === undefined ? [] : [[name, hash('sha256', text)]];
    }),
  );
}

/** A missing folder belongs to its creator. */
const ownerOf = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.uid ?? process.geteuid?.() ?? 0;

/** Removes the home. Its approvals are kept, and apply again when it is known again. False: it was not known. */
export async function forgetHome(home: string, user: User): Promise<boolean> {
  const there = readMark(markOf(home, user)) !== undefined;
  await rm(markOf(home, user), { force: true });
  return there;
}

/** The known homes by path. */
export function listKnownHomes(user: User): readonly KnownHome[] {
  const folder = join(userStateFolder(user), 'homes');
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
  const { path, since, owner, wasEmpty, files } = (readJsonFile(file) ?? {}) as Partial<KnownHome>;
  if (typeof path !== 'string' || typeof since !== 'string' || typeof owner !== 'number') return undefined;
  return { path, since, owner, ...(wasEmpty === true && { wasEmpty }), ...(files && { files }) };
}
