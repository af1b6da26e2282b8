import { readdirSync, statSync } from 'node:fs';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';
type FolderListing = readonly (readonly [name: string, kind: EntryKind])[];

/** Lists folders sorted by name. A folder is read again only when its entries have changed. */
export type Listings = (folder: string) => FolderListing;

/** Milliseconds after a change within which a second one may bear the same time. */
const clockResolutionMs = 2_500;

export function createListings(): Listings {
  const known = new Map<
    string,
    { readonly ctimeMs: number; readonly ino: number; readonly listing: FolderListing }
  >();
  return (folder) => {
    const { ctimeMs, ino } = statSync(folder);
    const found = known.get(folder);
    if (found?.ctimeMs === ctimeMs && found.ino === ino) return found.listing;
    const listing = readdirSync(folder, { withFileTypes: true })
      .map((entry): readonly [string, EntryKind] => [
        entry.name,
        entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other',
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1));
    if (Date.now() - ctimeMs > clockResolutionMs) known.set(folder, { ctimeMs, ino, listing });
    else known.delete(folder);
    return listing;
  };
}
