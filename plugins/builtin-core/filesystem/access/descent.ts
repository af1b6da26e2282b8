import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { PegboardError } from 'pegboard';

/**
 * The file or folder at a path inside the roots, held open so that it can't be replaced between check and use. Dispose
 * it.
 */
export interface OpenedPath extends Disposable {
  /** Absolute, symlinks resolved. */
  readonly path: string;
  /**
   * The containing folder, as a path for system calls that keeps referring to this folder. Absent when it doesn't exist
   * either.
   */
  readonly folder: string | undefined;
  /** Its name there. */
  readonly name: string;
  /** Absent when nothing exists at the path. */
  readonly stats: BigIntStats | undefined;
  /** The entry itself, as such a path. The entries of a folder are below it. */
  readonly self: string;
  /** Opens the entry. */
  open(flags: number): Promise<FileHandle>;
}

export interface OpenPathOptions {
  /** Creates missing folders on the path, which then has to be real: no link is followed. */
  readonly makeFolders?: boolean;
  /** If the path ends in a link, the link itself is opened, not its target. */
  readonly linkItself?: boolean;
}

/** The result of one walk: the entry, or the first symlink on the way, as the absolute path to continue with. */
export type Descent = OpenedPath | { readonly link: string };

export function notAFolder(path: string): PegboardError {
  return new PegboardError('PEG_TOOL_FAILED', `${path} is not a folder.`);
}
