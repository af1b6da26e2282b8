import { lstatSync, readdirSync, readlinkSync, type Dirent, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PegboardError } from '../../core/errors.ts';
import type { LinkOut } from '../../core/files/links.ts';
import { isWithin, realPathOf } from '../../core/files/paths.ts';
import { isProjectHome, projectHomeName } from '../../core/files/project.ts';
import { undoContents } from '../../core/files/private-data.ts';
import { userStateFolder, type User } from '../../core/platform/places.ts';
import { listKnownHomes } from './known-homes.ts';

/** What a home keeps for itself: no other home may read it. */
const privateParts = ['data', '.env'] as const;

/**
 * Throws PEG_DENIED where a link would make what others keep for themselves a part of this home: git clones links too. In
 * a project's home, `data/` and `.env` lead nowhere else. In any other, whose user may keep them on another disk, they
 * don't lead to those of another home of this user.
 */
export function requireOwnData(home: string, user: User): void {
  const odd = oddIn(home);
  const [link] = linksAmong(odd, home);
  const pipe = odd.find(({ isLink }) => !isLink);
  if (pipe && isProjectHome(home, user)) throw endless(pipe.path);
  if (!link) return;
  if (isProjectHome(home, user)) throw refused(link, 'In the home of a project, data/ and .env are its own');
  const others = privatePlacesBut(home, user);
  const taken = linksAmong(odd, home).find(({ target }) =>
    others.some((place) => isWithin(place, target) || isWithin(target, place)),
  );
  if (taken) throw refused(taken, 'That belongs to another home, or to you alone');
}

/** The links by which `data/`, what is in it, or `.env` leads out of them, with where they lead. */
export const linksOut = (home: string): readonly LinkOut[] => linksAmong(oddIn(home), home);

const ownPlaces = (home: string): readonly string[] =>
  privateParts.map((part) => join(realPathOf(home), part));

function linksAmong(odd: readonly Odd[], home: string): readonly LinkOut[] {
  const own = ownPlaces(home);
  return odd
    .filter(({ isLink }) => isLink)
    .map(({ path }) => ({ link: path, target: targetOf(path) }))
    .filter(({ target }) => !own.some((place) => isWithin(place, target)));
}

/** What is neither a file nor a folder: a link, or a pipe or device, from which reading may never end. */
interface Odd {
  readonly path: string;
  readonly isLink: boolean;
}

const oddIn = (home: string): readonly Odd[] =>
  ownPlaces(home).flatMap((place) => [...oddAt(place, join(realPathOf(home), undoContents))]);

const isOdd = (entry: Dirent | Stats): boolean =>
  entry.isSymbolicLink() || entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice();

/**
 * The path itself, or all that is odd in the folder. Not the many files in `sealed`, which are read only where their
 * content is that of their name.
 */
function* oddAt(path: string, sealed: string): Iterable<Odd> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && isOdd(found)) yield { path, isLink: found.isSymbolicLink() };
  if (!found?.isDirectory()) return;
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (isOdd(entry) || (entry.isDirectory() && path !== sealed))
      yield* oddAt(join(path, entry.name), sealed);
}

/** Also of a link to what isn't there, which would be made by writing to it. */
const targetOf = (link: string): string => realPathOf(resolve(realPathOf(dirname(link)), readlinkSync(link)));

/** Of the user's other homes, as far as they are known, and of the user. */
function privatePlacesBut(home: string, user: User): readonly string[] {
  const homes = [join(user.userHome, projectHomeName), ...listKnownHomes(user).map(({ path }) => path)];
  const others = homes.map(realPathOf).filter((path) => path !== realPathOf(home));
  return [
    realPathOf(userStateFolder(user)),
    ...others.flatMap((other) => privateParts.map((part) => realPathOf(join(other, part)))),
  ];
}

const refused = ({ link, target }: LinkOut, why: string): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `${link} is a link to ${target}. ${why}, so nothing of this home is read or run. Remove the link; if others put it there, don't trust this home.`,
  );

const endless = (path: string): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `${path} is a pipe or a device, not a file, so nothing of this home is read or run. Remove it; if others put it there, don't trust this home.`,
  );
