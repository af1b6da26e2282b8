import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { PegboardError } from '../../core/errors.ts';
import type { LinkOut } from '../../core/files/links.ts';
import { isWithin, realPathOf } from '../../core/files/paths.ts';
import { isProjectHome, projectHomeName } from '../../core/files/project.ts';
import { undoContents } from '../../core/files/private-data.ts';
import { userStateFolder } from '../../core/platform/places.ts';
import { listKnownHomes } from './known-homes.ts';

/** What a home keeps for itself: no other home may read it. */
const privateParts = ['data', '.env'] as const;

/**
 * Throws PEG_DENIED where a link would make what others keep for themselves a part of this home: git clones links too. In
 * a project's home, `data/` and `.env` lead nowhere else. In any other, whose user may keep them on another disk, they
 * don't lead to those of another home of this user.
 */
export function requireOwnData(home: string): void {
  if (isProjectHome(home)) requireFiles(home);
  const [link] = linksOut(home);
  if (!link) return;
  if (isProjectHome(home)) throw refused(link, 'In the home of a project, data/ and .env are its own');
  const others = privatePlacesBut(home);
  const taken = linksOut(home).find(({ target }) =>
    others.some((place) => isWithin(place, target) || isWithin(target, place)),
  );
  if (taken) throw refused(taken, 'That belongs to another home, or to you alone');
}

/** Reading from a pipe or a device may never end. */
function requireFiles(home: string): void {
  const path = realPathOf(home);
  for (const place of privateParts.flatMap((part) => [
    ...pipesAt(join(path, part), join(path, undoContents)),
  ]))
    throw new PegboardError(
      'PEG_DENIED',
      `${place} is a pipe or a device, not a file, so nothing of this home is read or run. Remove it; if others put it there, don't trust this home.`,
    );
}

function* pipesAt(path: string, sealed: string): Iterable<string> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFIFO() || found?.isCharacterDevice() || found?.isBlockDevice()) yield path;
  if (found?.isDirectory() && path !== sealed)
    for (const name of readdirSync(path)) yield* pipesAt(join(path, name), sealed);
}

/** The links by which `data/`, what is in it, or `.env` leads out of them, with where they lead. */
export function linksOut(home: string): readonly LinkOut[] {
  const path = realPathOf(home);
  const own = privateParts.map((part) => join(path, part));
  const sealed = join(path, undoContents);
  return own
    .flatMap((place) => [...linksAt(place, sealed)])
    .filter(({ target }) => !own.some((place) => isWithin(place, target)));
}

/**
 * The path itself, or all links in the folder. Not the many files in `sealed`, which are read only where their content is
 * that of their name.
 */
function* linksAt(path: string, sealed: string): Iterable<LinkOut> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) yield { link: path, target: targetOf(path) };
  if (!found?.isDirectory()) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isSymbolicLink() || (entry.isDirectory() && path !== sealed)) yield* linksAt(inner, sealed);
  }
}

/** Also of a link to what isn't there, which would be made by writing to it. */
const targetOf = (link: string): string => realPathOf(resolve(realPathOf(dirname(link)), readlinkSync(link)));

/** Of the user's other homes, as far as they are known, and of the user. */
function privatePlacesBut(home: string): readonly string[] {
  const homes = [join(homedir(), projectHomeName), ...listKnownHomes().map(({ path }) => path)];
  const others = homes.map(realPathOf).filter((path) => path !== realPathOf(home));
  return [
    realPathOf(userStateFolder()),
    ...others.flatMap((other) => privateParts.map((part) => realPathOf(join(other, part)))),
  ];
}

const refused = ({ link, target }: LinkOut, why: string): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `${link} is a link to ${target}. ${why}, so nothing of this home is read or run. Remove the link; if others put it there, don't trust this home.`,
  );
