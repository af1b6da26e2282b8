import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { pegboard } from '../../core/own-command.ts';
import { openContentHashes } from '../../core/files/content-hashes.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { hashOfFile, hashOfTree, treeOf } from './tree.ts';
import { readRegularFile } from '../../core/files/regular-file.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

/** In the folder of a plugin from elsewhere. It is approved with the plugin's other files. */
export const lockFile = 'plugin.lock.json';

export interface LockedPackage {
  readonly version: string;
  /** "sha512-…" */
  readonly integrity: string;
}

/** Where a plugin came from, and the files that it consists of. */
export interface PluginLock {
  readonly lockVersion: 1;
  /** As it was added: "npm:dice@^1.0.0". An update looks there. */
  readonly source: string;
  /** What that was: "npm:dice@1.0.3". */
  readonly resolved: string;
  readonly version: string;
  readonly integrity?: string;
  readonly publisher?: string;
  /** SHA-256 of its own files, by name: without packages and hidden files. */
  readonly files: Readonly<Record<string, string>>;
  /** Absent: it has no packages. */
  readonly packages?: {
    /** SHA-256 of all of node_modules. */
    readonly hash: string;
    /** By place: "node_modules/left-pad". */
    readonly installed: Readonly<Record<string, LockedPackage>>;
  };
}

/** Undefined for a plugin that was not added from elsewhere. Throws PEG_CONFIG for a file that isn't a lock file. */
export function readLock(folder: string): PluginLock | undefined {
  const path = join(folder, lockFile);
  if (!existsSync(path)) return undefined;
  try {
    if (!lstatSync(path).isFile()) throw new Error('it is a link');
    const lock = parseJson(readRegularFile(path).toString('utf8')) as Partial<PluginLock> | null;
    const isWhole =
      lock?.lockVersion === 1 &&
      [lock.source, lock.resolved, lock.version].every((member) => typeof member === 'string') &&
      isMap(lock.files) &&
      (lock.packages === undefined ||
        (isMap(lock.packages) && typeof lock.packages.hash === 'string' && isMap(lock.packages.installed)));
    if (isWhole) return lock as PluginLock;
    throw new Error('something in it is missing');
  } catch (cause) {
    throw new PegboardError(
      'PEG_CONFIG',
      `${path} can't be read: ${asSentence(messageOf(cause))} Without that file the plugin counts as your own; without its folder, \`${pegboard} plugins add\` adds it anew.`,
      { cause },
    );
  }
}

const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const writeLock = (folder: string, lock: PluginLock): void =>
  writeFileSync(join(folder, lockFile), `${toJson(lock, 2)}\n`);

/** SHA-256 of the files that an approval covers, by name. */
export const ownFilesIn = (folder: string): Readonly<Record<string, string>> => {
  const { names, unusual } = treeOf(folder, { skips: isNotOwn });
  return Object.fromEntries([
    ...names.map((name) => [name, hashOfFile(join(folder, name))] as const),
    ...unusual.map((name) => [name, 'a link'] as const),
  ]);
};

const isNotOwn = (entry: string, isTop: boolean): boolean =>
  entry === 'node_modules' || entry.startsWith('.') || (isTop && entry === lockFile);

/** The hash of a plugin's packages; undefined when it has none. `cache`: where hashes of files are kept. */
export function hashOfPackages(folder: string, cache: string): string | undefined {
  const packages = join(folder, 'node_modules');
  const found = lstatSync(packages, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isDirectory()) return 'a link';
  const hashes = openContentHashes(cache);
  const all = hashOfTree(packages, treeOf(packages), (path) => hashes.of(path).hash);
  hashes.save();
  return all;
}
