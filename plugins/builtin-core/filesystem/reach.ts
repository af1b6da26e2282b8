import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { PegboardError } from 'pegboard';
import { walkByDescriptor } from './reach-linux.ts';
import { walkByPath } from './reach-portable.ts';
import type { Place, Roots } from './roots.ts';

/**
 * What lies at a path inside the roots, held so that nobody can put another in its place between looking and using.
 * Dispose it.
 */
export interface Reached extends Disposable {
  /** Absolute, symlinks resolved. */
  readonly path: string;
  /** The containing folder, as a path for system calls that keeps meaning this very folder. Absent: it is missing too. */
  readonly folder: string | undefined;
  /** Its name there. */
  readonly name: string;
  /** Absent: nothing is there. */
  readonly stats: BigIntStats | undefined;
  /** What is there, as such a path; a folder's entries lie beneath it. */
  readonly self: string;
  /** Opens what is there. */
  open(flags: number): Promise<FileHandle>;
}

export interface ReachOptions {
  /** Make missing folders on the way. */
  readonly makeFolders?: boolean;
}

/** One descent: what was found, or the symlink that it met, as the absolute path to go on with. */
export type Descent = Reached | { readonly link: string };

const mostLinks = 8;

/**
 * Follows symlinks by hand and checks every target against the roots again, so that no link, and no swap of a folder
 * for a link, leads outside. Throws PEG_DENIED outside the roots.
 */
export function reach(roots: Roots, path: string, options: ReachOptions = {}): Reached {
  const walk: (place: Place, options: ReachOptions) => Descent =
    process.platform === 'linux'
      ? walkByDescriptor
      : (place, { makeFolders = false }) => walkByPath(roots, place, makeFolders);
  let place = roots.place(path);
  for (let links = 0; links <= mostLinks; links++) {
    const found = walk(place, options);
    if (!('link' in found)) return found;
    place = roots.place(found.link);
  }
  throw new PegboardError('PEG_DENIED', `${path} leads through more than ${mostLinks} symbolic links.`);
}

export function notAFolder(path: string): PegboardError {
  return new PegboardError('PEG_TOOL_FAILED', `${path} is not a folder.`);
}
