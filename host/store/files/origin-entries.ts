import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { Origin } from '../../api/provenance.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { isWithin } from '../../core/files/paths.ts';
import { thisMachine } from '../../core/processes/owner.ts';

/** A file and where its content comes from. */
export interface OriginEntry {
  /** Real and absolute. */
  readonly path: string;
  /** Its identity. */
  readonly file: string;
  /** The file was deleted: whatever is written to the path later is another file. */
  readonly gone?: true;
  /** Of a host with another home that shares this one's state; absent: this home's. */
  readonly place?: string;
  readonly origin: Origin;
  /** Of an entry that stands for several files: their identities, shortened. */
  readonly files?: readonly string[];
}

/** How entries are stored. */
export interface OriginFormat {
  /** Nothing is known of a text that can't be read. */
  parse(text: string | undefined): readonly OriginEntry[];
  write(entries: readonly OriginEntry[]): string;
}

/** Of one home: paths are absolute. */
export const localFormat = (home: string): OriginFormat => ({
  parse: (text) => entriesIn(text, home),
  write: (entries) => toJson(entries),
});

/** Of hosts that share their state: paths within their homes are relative, and each entry names its home. */
export function sharedFormat(home: string): OriginFormat {
  const real = realOf(home);
  const own = hash('sha256', `${thisMachine}\n${real}`).slice(0, 16);
  const portable = (path: string): string =>
    isWithin(real, path) ? relative(real, path).split(sep).join('/') || '.' : path;
  return {
    parse: (text) =>
      entriesIn(text, home).map(({ place, ...entry }) =>
        place === undefined || place === own ? entry : { ...entry, place },
      ),
    write: (entries) =>
      toJson(entries.map((entry) => ({ ...entry, path: portable(entry.path), place: entry.place ?? own }))),
  };
}

/** What the hosts share, from what one home has stored. */
export const toSharedOrigins = (text: string, home: string): string =>
  sharedFormat(home).write(localFormat(home).parse(text));

/** What one home stores, from what the hosts have shared. */
export const toLocalOrigins = (text: string, home: string): string =>
  localFormat(home).write(sharedFormat(home).parse(text));

function entriesIn(text: string | undefined, home: string): readonly OriginEntry[] {
  try {
    const stored = parseJson(text ?? '[]');
    if (!Array.isArray(stored)) return [];
    const real = realOf(home);
    return (stored as readonly OriginEntry[]).map((entry) => ({ ...entry, path: resolve(real, entry.path) }));
  } catch {
    return [];
  }
}

/** Unchanged when there is no such file. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
