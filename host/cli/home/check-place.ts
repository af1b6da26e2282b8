import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmdirSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../core/files/make-folder.ts';
import { pegboard } from '../../core/own-command.ts';
import { fileErrorInWords } from '../../core/system-error.ts';
import { PegboardError } from '../../core/errors.ts';
import { quoteWord } from '../../core/text/shell-words.ts';

/**
 * Whether a folder is there. Throws PEG_USAGE, with what to do, where no home can be at this path: a file is in its place,
 * a link leads nowhere, or this user can't read the folder.
 */
export function checkPlace(home: string): boolean {
  const there = statOf(home, statSync);
  if (there?.isDirectory()) {
    requireReadable(home);
    return true;
  }
  if (there) throw refused(`${home} is a file, and a home is a folder.`);
  if (statOf(home, lstatSync)?.isSymbolicLink())
    throw refused(
      `${home} is a link to ${resolve(dirname(home), readlinkSync(home))}, and nothing is there.`,
    );
  for (let above = dirname(home); above !== dirname(above); above = dirname(above)) {
    const found = statOf(above, statSync);
    if (found?.isDirectory()) break;
    if (found) throw refused(`${home} can't be a home: ${above} is a file.`);
  }
  return false;
}

/** Makes the folder of a home. Throws PEG_USAGE. */
export function makePlace(home: string): void {
  try {
    makeFolder(home);
  } catch (cause) {
    throw refused(`${home} can't be a home: the folder can't be made (${fileErrorInWords(cause)}).`);
  }
}

/** Throws PEG_USAGE for a folder that takes no folders, such as /proc. What else keeps a home from being written is said then. */
export function requireFolders(home: string): void {
  if (statOf(join(home, 'data'), statSync)) return;
  const probe = join(home, `.pegboard-${process.pid}`);
  try {
    mkdirSync(probe);
    rmdirSync(probe);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
      throw refused(`${home} can't be a home: no folder can be made in it.`);
  }
}

/** A home that was named and isn't there is a mistake, unless the command makes one. */
export const missingHome = (home: string): PegboardError =>
  new PegboardError(
    'PEG_USAGE',
    `There is no folder ${home}, which --home or PEGBOARD_HOME names. \`${pegboard} init ${quoteWord(home)}\` makes a home there.`,
  );

const refused = (what: string): PegboardError =>
  new PegboardError(
    'PEG_USAGE',
    `${what} Move it away, or name another folder with --home. Nothing was changed.`,
  );

function requireReadable(home: string): void {
  try {
    accessSync(home, constants.R_OK | constants.X_OK);
  } catch {
    throw new PegboardError(
      'PEG_USAGE',
      `The folder ${home} may not be read by this user: check its permissions, or name another one with --home.`,
    );
  }
}

/** Undefined when there is nothing, also where a file is in the place of a folder above. */
function statOf(path: string, stat: (path: string) => Stats): Stats | undefined {
  try {
    return stat(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM')
      throw new PegboardError(
        'PEG_USAGE',
        `${path} may not be looked at by this user: check the permissions of the folders above it, or name another home with --home.`,
      );
    return undefined;
  }
}
