import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { PegboardError } from 'pegboard';

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
  /** Make missing folders on the way, which is a real path then: no link is followed. */
  readonly makeFolders?: boolean;
  /** A link that the path ends with is what is reached, not what it leads to. */
  readonly linkItself?: boolean;
}

/** One descent: what was found, or the symlink that it met, as the absolute path to go on with. */
export type Descent = Reached | { readonly link: string };

export function notAFolder(path: string): PegboardError {
  return new PegboardError('PEG_TOOL_FAILED', `${path} is not a folder.`);
}
