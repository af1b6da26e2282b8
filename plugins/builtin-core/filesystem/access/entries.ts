import { readdirSync, type Dirent } from 'node:fs';

/** Something in a folder. */
export interface WalkedEntry {
  /** With "/", relative to where the walk began. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** As a path for system calls; good until the next entry is taken. */
  readonly at: string;
  /** A folder that is not entered: .gitignore excludes it. */
  readonly ignored: boolean;
}

/** By name. */
export function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function kindOf(entry: Dirent): WalkedEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
