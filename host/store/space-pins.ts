import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../core/json-file.ts';
import type { ApprovedStore } from './user-state.ts';

/** A space as its owner accepted it: SHA-256 of its files by their names within it. */
export interface PinnedSpace {
  /** ISO 8601 */
  readonly at: string;
  readonly files: { readonly [name: string]: string };
}

/** The accepted files themselves, as far as they are text, to show later what has changed. */
export type AcceptedTexts = { readonly [name: string]: string };

export interface SpacePinStore {
  /** Was it accepted once, as far as is known here? Reads nothing. */
  isKnown(space: string): boolean;
  /** By the space's name. Undefined: it was never accepted. */
  get(space: string): PinnedSpace | undefined;
  textsOf(space: string): AcceptedTexts;
  set(space: string, files: PinnedSpace['files'], texts: AcceptedTexts): Promise<void>;
}

/** The hashes lie in the user's approved.json, the texts in `folder`, a file for each space. */
export function createSpacePinStore(state: ApprovedStore, folder: string): SpacePinStore {
  const textsFile = (space: string): string => join(folder, `${space}.json`);
  return {
    isKnown: (space) => Object.hasOwn(state.data.spaces, space),
    get(space) {
      // Another process may have accepted it meanwhile.
      state.reload();
      return state.data.spaces[space];
    },
    textsOf: (space) => (readJsonFile(textsFile(space)) ?? {}) as AcceptedTexts,
    async set(space, files, texts) {
      await writeJsonFile(textsFile(space), texts);
      const pinned: PinnedSpace = { at: new Date().toISOString(), files };
      await state.update((now) => ({ ...now, spaces: { ...now.spaces, [space]: pinned } }));
    },
  };
}
