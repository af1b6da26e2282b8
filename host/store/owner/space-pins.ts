import { join } from 'node:path';
import { toJson } from '../../core/documents/written-numbers.ts';
import { readJsonFile } from '../../core/files/json-file.ts';
import { localDocuments, type Documents } from '../documents/documents.ts';
import type { ApprovedStore } from './user-state.ts';

/** A space in its approved version. */
export interface PinnedSpace {
  /** ISO 8601 */
  readonly at: string;
  /** Hashes of its files, by name within the space. */
  readonly files: { readonly [name: string]: string };
  /** Folders within it that others write; "" means the whole space. */
  readonly parts: readonly string[];
}

/** The content of approved text files, to show later what has changed. */
export type ApprovedTexts = { readonly [name: string]: string };

export interface SpacePinStore {
  /** Path of the cache of content hashes. */
  readonly contents: string;
  /** By the space's name. Undefined when it was never approved. */
  get(space: string): PinnedSpace | undefined;
  list(): readonly { readonly name: string; readonly at: string }[];
  delete(space: string): Promise<void>;
  textsOf(space: string): ApprovedTexts;
  set(space: string, pinned: Omit<PinnedSpace, 'at'>, texts: ApprovedTexts): Promise<void>;
}

/** The dates of approval are in the user's approved.json, the contents in one file for each space in `folder`. */
export function createSpacePinStore(
  approved: ApprovedStore,
  folder: string,
  documents: Documents = localDocuments,
): SpacePinStore {
  const fileOf = (space: string): string => join(folder, `${space}.json`);
  const textsFile = (space: string): string => join(folder, `${space}.texts.json`);
  const known = new Map<string, PinnedSpace>();
  return {
    contents: join(folder, '.contents.json'),
    get(space) {
      // Another process may have approved it in the meantime.
      approved.reload();
      const { at } = approved.data.spaces[space] ?? {};
      if (at === undefined) return undefined;
      if (known.get(space)?.at !== at) known.set(space, readPinned(fileOf(space), at));
      return known.get(space);
    },
    textsOf: (space) => (readJsonFile(textsFile(space)) ?? {}) as ApprovedTexts,
    list() {
      approved.reload();
      return Object.entries(approved.data.spaces).map(([name, { at }]) => ({ name, at }));
    },
    delete: (space) =>
      approved.update((now) => ({
        ...now,
        spaces: Object.fromEntries(Object.entries(now.spaces).filter(([name]) => name !== space)),
      })),
    async set(space, pinned, texts) {
      const at = new Date().toISOString();
      await documents.change(textsFile(space), () => toJson(texts));
      await documents.change(fileOf(space), () => toJson({ at, ...pinned }));
      await approved.update((now) => ({ ...now, spaces: { ...now.spaces, [space]: { at } } }));
    },
  };
}

/** An unreadable file, or one with another date than the approval, pins nothing: the whole space then counts as new. */
function readPinned(file: string, at: string): PinnedSpace {
  const stored = (readJsonFile(file) ?? {}) as Partial<PinnedSpace>;
  const { files, parts } = stored;
  return stored.at === at && files && parts ? { at, files, parts } : { at, files: {}, parts: [''] };
}
