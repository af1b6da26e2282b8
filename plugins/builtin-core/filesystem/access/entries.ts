import { readdirSync, type Dirent } from 'node:fs';

/** An entry of a folder. */
export interface WalkedEntry {
  /** Relative to the start of the walk, separated by "/". */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** A path for system calls, valid until the next entry is read. */
  readonly at: string;
  /** A folder that is skipped because .gitignore excludes it. */
  readonly ignored: boolean;
}

/** Sorted by name. */
export function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function kindOf(entry: Dirent): WalkedEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
