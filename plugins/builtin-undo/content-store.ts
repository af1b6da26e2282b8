import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { draftName } from 'pegboard/files';
import { makePrivateFolder } from 'pegboard/kit';
import { hashOf } from './file-state.ts';

/** Contents of files by their hash, each once, for this user only. */
export interface ContentStore {
  has(hash: string): boolean;
  put(hash: string, bytes: Buffer): void;
  /** Undefined when it is missing or damaged. */
  read(hash: string): Buffer | undefined;
  pathOf(hash: string): string;
}

export function createContentStore(folder: string): ContentStore {
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash.slice(2));
  return {
    pathOf,
    has: (hash) => existsSync(pathOf(hash)),
    put(hash, bytes) {
      const path = pathOf(hash);
      makePrivateFolder(dirname(path));
      const draft = join(dirname(path), draftName());
      writeFileSync(draft, bytes, { flag: 'wx', mode: 0o600 });
      renameSync(draft, path);
    },
    read(hash) {
      try {
        const bytes = readFileSync(pathOf(hash));
        return hashOf(bytes) === hash ? bytes : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
