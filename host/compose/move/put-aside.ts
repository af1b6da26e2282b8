import { existsSync, renameSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { interpolate } from '../../core/documents/interpolate.ts';
import { PegboardError, messageOf } from '../../core/errors.ts';
import { readJsonFile, writeJsonFile } from '../../core/files/json-file.ts';
import { databaseFileOf } from '../../store/database/file.ts';
import { asideOf, incomingFiles } from '../../store/move/home-files.ts';
import { resolverOf } from '../home-secrets.ts';
import { ownSecrets, sharedIn, type MovedHome } from './contents.ts';

/**
 * That everything is copied and compared, and `state` is about to change. Until what was in service before is put aside,
 * the same command finishes the move.
 */
export interface Switch {
  /** The names of both databases, without passwords. */
  readonly from: string;
  readonly to: string;
  /** `state` as it was written before, with `${NAME}`. Absent: the file. */
  readonly state?: string | undefined;
  /** ISO 8601. A part of the names of what is put aside, so that it has the same ones after a crash. */
  readonly at: string;
}

const fileOf = (home: string): string => join(home, 'data/unfinished-move.json');

/** If `change` throws, the note is taken back. */
export async function withSwitchNoted(
  home: string,
  names: Omit<Switch, 'at'>,
  change: () => Promise<void>,
): Promise<Switch> {
  const noted: Switch = { ...names, at: new Date().toISOString() };
  await writeJsonFile(fileOf(home), noted);
  try {
    await change();
  } catch (cause) {
    await rm(fileOf(home), { force: true });
    throw cause;
  }
  return noted;
}

/** Of a move to `to` that was interrupted. */
export function unfinishedSwitch(home: string, to: string): Switch | undefined {
  const noted = readJsonFile(fileOf(home)) as Switch | undefined;
  return noted?.to === to ? noted : undefined;
}

export const isFromFile = ({ from }: Pick<Switch, 'from'>): boolean => !from.startsWith('postgres://');

/** May be repeated. Returns where the old state is kept: the path of a file, or the name of a database. */
export async function putOldAside(moved: MovedHome, done: Switch): Promise<string> {
  const { home } = moved;
  const { from, at } = done;
  const path = databaseFileOf(home);
  const wasFile = isFromFile(done);
  if (wasFile) {
    await putSecretsAside(moved, at);
    // The last one to close it has put all of its -wal file into it, unless it was killed.
    for (const part of ['-wal', '-shm', ''])
      if (existsSync(path + part)) renameSync(path + part, asideOf(path, at) + part);
  } else {
    await incomingFiles(moved, moved.passphrase).clear();
    await closeOld(moved, done);
  }
  await rm(fileOf(home), { force: true });
  return wasFile ? asideOf(path, at) : from;
}

/** Throws PEG_DATABASE: until it is closed, another home may go on in it. */
async function closeOld({ home, user }: MovedHome, { from, to, state }: Switch): Promise<void> {
  const { closeState } = await import('../../store/move/close-state.ts');
  try {
    await closeState(interpolate(state!, resolverOf(home, user)).text, to);
  } catch (cause) {
    throw new PegboardError(
      'PEG_DATABASE',
      `The state of this home is in ${to} now, but ${from} could not be closed for others: ${messageOf(cause)} Run the same command again.`,
      { cause },
    );
  }
}

/** All hosts have them now: a copy here would come back when another host deletes one. */
async function putSecretsAside(moved: MovedHome, at: string): Promise<void> {
  const secrets = ownSecrets(moved);
  const names = secrets
    .list()
    .map(({ name }) => name)
    .filter(sharedIn(moved));
  if (names.length === 0) return;
  const path = join(moved.home, 'data/secrets/secrets.json');
  const aside = asideOf(path, at);
  if (!existsSync(aside)) await copyFile(path, aside);
  for (const name of names) await secrets.delete(name);
}
