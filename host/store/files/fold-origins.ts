import { hash } from 'node:crypto';
import { dirname } from 'node:path';
import { distinct } from '../../core/foreign/untrusted.ts';
import type { OriginEntry } from './origin-entries.ts';

/** Of the identity of a file, in an entry that stands for several: 66 bits are enough to tell files apart. */
export const shortIdentity = (file: string): string => hash('sha256', file, 'base64url').slice(0, 11);

/**
 * The entries, or at most `limit` that stand for more: the folder of several files counts as others' words as a whole, and
 * keeps the identities of its files, so that a moved one is known. No mark is lost. `identityOf`: of an existing path.
 */
export function foldOrigins(
  entries: readonly OriginEntry[],
  limit: number,
  identityOf: (path: string) => string | undefined,
): readonly OriginEntry[] {
  if (entries.length <= limit) return entries;
  // Folded some way below the limit, so that the next file doesn't fold again.
  let folded = entries;
  while (folded.length > limit * 0.8) {
    const next = foldOnce(folded, limit * 0.8, identityOf);
    if (next.length === folded.length && next.every((one, at) => one.path === folded[at]!.path)) break;
    folded = next;
  }
  return folded;
}

/** The folders with most entries first, those with a single one only when there are no others. */
function foldOnce(
  entries: readonly OriginEntry[],
  target: number,
  identityOf: (path: string) => string | undefined,
): readonly OriginEntry[] {
  const folders = Map.groupBy(
    entries,
    (entry) => `${entry.place ?? ''}\0${entry.gone ? '' : dirname(entry.path)}`,
  );
  const largest = [...folders.values()].toSorted((a, b) => b.length - a.length);
  const least = largest[0]!.length > 1 ? 2 : 1;
  const standing = new Map<OriginEntry, OriginEntry | undefined>();
  let count = entries.length;
  for (const group of largest) {
    if (group.length < least || (least > 1 && count <= target)) break;
    count -= group.length - 1;
    for (const entry of group) standing.set(entry, undefined);
    standing.set(group.at(-1)!, standFor(group, identityOf));
  }
  return entries.flatMap((entry) => (standing.has(entry) ? (standing.get(entry) ?? []) : entry));
}

function standFor(
  group: readonly OriginEntry[],
  identityOf: (path: string) => string | undefined,
): OriginEntry {
  const { gone, place, path, file } = group.at(-1)!;
  const folder = gone ? path : dirname(path);
  const own = gone || place !== undefined ? file : (identityOf(folder) ?? file);
  const origins = distinct(group.map(({ origin }) => origin));
  const files = group.flatMap((entry) => [shortIdentity(entry.file), ...(entry.files ?? [])]);
  return {
    path: folder,
    file: own,
    ...(gone && { gone }),
    ...(place !== undefined && { place }),
    origin: origins.length === 1 ? origins[0]! : { kind: 'file', what: folder },
    files: [...new Set(files)],
  };
}
