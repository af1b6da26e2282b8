import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { PegboardError } from '../../core/errors.ts';
import { draftName } from '../../core/files/draft.ts';
import { readJsonFile } from '../../core/files/json-file.ts';
import type { TrustStore } from '../../store/owner/trust.ts';
import type { TrustedCode } from '../../store/owner/user-state.ts';
import { codeFiles, codeRoot, hashCode, nameIn } from './folder-hash.ts';
import { usePackagesOf } from './generations.ts';
import type { PluginManifest } from './manifest.ts';
import { readRegularFile } from '../../core/files/regular-file.ts';

/** What a copy was made of. Paths are relative to the folder that all copied files have in common. */
interface CopyRecord {
  /** Absolute: the common folder. */
  readonly from: string;
  readonly folder: string;
  /** Of the files of a space. */
  readonly dynamic?: { readonly root: string; readonly files: readonly string[] };
}

/**
 * Trusts the code of a plugin as it is, and keeps a copy of it outside of the home, which runs when the code has changed.
 * Throws PEG_DENIED when it is no longer the code with this hash.
 */
export async function approveCode(trust: TrustStore, manifest: PluginManifest, hash: string): Promise<void> {
  const { id } = manifest;
  const folder = copyFolderOf(trust, { id, hash });
  const draft = join(trust.codeFolder, draftName());
  try {
    writeCopy(draft, manifest);
    if (hashCode(copied(manifest, draft)) !== hash)
      throw new PegboardError('PEG_DENIED', `${id} was not approved: its files change. Try again.`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  const former = trust.list().find((entry) => entry.id === id);
  await trust.trust(id, hash);
  if (former && former.hash !== hash) forgetCopy(trust, former);
}

/** Ends the trust in a plugin's code. False: it was not trusted. */
export async function revokeCode(trust: TrustStore, id: string): Promise<boolean> {
  const former = trust.list().find((entry) => entry.id === id);
  const wasTrusted = await trust.revoke(id);
  if (former) forgetCopy(trust, former);
  return wasTrusted;
}

/**
 * The plugin as it was approved, from the copy. Its other files and its diagnostics are where they were. Throws
 * PEG_DENIED when the copy is missing or is not what was approved.
 */
export function approvedCopy(
  trust: TrustStore,
  manifest: PluginManifest,
  approved: TrustedCode,
): PluginManifest {
  const folder = copyFolderOf(trust, approved);
  const copy = intactCopy(trust, manifest, approved);
  if (copy) {
    usePackagesOf(join(folder, 'files'), recordIn(folder).from);
    return copy;
  }
  throw new PegboardError(
    'PEG_DENIED',
    `the copy of what you approved is ${existsSync(folder) ? 'damaged' : 'gone'} (${folder})`,
  );
}

/** The intact copy of the plugin that was approved in this folder, and the id under which it was. */
export function approvedIn(
  trust: TrustStore,
  folder: string,
): { readonly id: string; readonly copy: string } | undefined {
  for (const approved of trust.list()) {
    const target = copyFolderOf(trust, approved);
    try {
      const { from, folder: own, dynamic } = recordIn(target);
      const copy = join(target, 'files', own);
      if (
        !dynamic &&
        join(from, own) === folder &&
        hashCode({ folder: copy, boundary: [copy] }) === approved.hash
      )
        return { id: approved.id, copy };
    } catch {
      // Gone or damaged.
    }
  }
  return undefined;
}

/** A file of a plugin that is not as it was approved. A content is undefined where the file isn't there. */
export interface CodeChange {
  /** Relative to the plugin's folder, or to the space. */
  readonly name: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

/** What differs between a plugin's files and the approved ones; undefined when there is no intact copy of these. */
export function changesInCode(
  trust: TrustStore,
  manifest: PluginManifest,
): readonly CodeChange[] | undefined {
  const approved = trust.list().find(({ id }) => id === manifest.id);
  const copy = approved && intactCopy(trust, manifest, approved);
  if (!copy) return undefined;
  const [before, after] = [contentsOf(copy), contentsOf(manifest)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((name) => ({ name, before: before.get(name), after: after.get(name) }))
    .filter(({ before: old, after: now }) => !old || !now || !old.equals(now));
}

/** By name. */
const contentsOf = (manifest: PluginManifest): ReadonlyMap<string, Buffer> =>
  new Map(
    codeFiles(manifest)
      .filter(isFile)
      .map((path) => [nameIn(codeRoot(manifest), path), readRegularFile(path)]),
  );

/** Undefined when it is gone, can't be read or is not what was approved. */
function intactCopy(
  trust: TrustStore,
  manifest: PluginManifest,
  approved: TrustedCode,
): PluginManifest | undefined {
  try {
    const copy = copied(manifest, copyFolderOf(trust, approved));
    return hashCode(copy) === approved.hash ? copy : undefined;
  } catch {
    return undefined;
  }
}

function writeCopy(target: string, manifest: PluginManifest): void {
  const { folder, dynamic } = manifest;
  const files = codeFiles(manifest).filter(isFile);
  const from = commonFolder([folder, codeRoot(manifest), ...files.map(dirname)]);
  for (const file of files) {
    const copy = join(target, 'files', relative(from, file));
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    writeFileSync(copy, readRegularFile(file), { mode: statSync(file).mode & 0o700 });
  }
  mkdirSync(join(target, 'files', relative(from, codeRoot(manifest))), { recursive: true, mode: 0o700 });
  const inCommon = (path: string): string => relative(from, path);
  const record: CopyRecord = {
    from,
    folder: inCommon(folder),
    ...(dynamic && { dynamic: { root: inCommon(dynamic.root), files: dynamic.files.map(inCommon) } }),
  };
  writeFileSync(join(target, 'copy.json'), JSON.stringify(record), { mode: 0o600 });
}

/** Links count as what they lead to. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function commonFolder(folders: readonly string[]): string {
  const [first = '', ...others] = folders;
  let common = first;
  while (!others.every((folder) => folder === common || folder.startsWith(common.replace(/[\\/]?$/, sep))))
    common = dirname(common);
  return common;
}

const recordIn = (folder: string): CopyRecord => readJsonFile(join(folder, 'copy.json')) as CopyRecord;

/** The manifest as it applies to the copy in `folder`. */
function copied(manifest: PluginManifest, folder: string): PluginManifest {
  const { folder: own, dynamic } = recordIn(folder);
  const inCopy = (path: string): string => join(folder, 'files', path);
  return {
    ...manifest,
    folder: inCopy(own),
    boundary: [join(folder, 'files')],
    ...(manifest.dynamic &&
      dynamic && {
        dynamic: {
          space: manifest.dynamic.space,
          root: inCopy(dynamic.root),
          files: dynamic.files.map(inCopy),
        },
      }),
  };
}

const copyFolderOf = ({ codeFolder }: TrustStore, { id, hash }: Pick<TrustedCode, 'id' | 'hash'>): string =>
  join(codeFolder, createHash('sha256').update(`${id}\n${hash}`).digest('hex').slice(0, 32));

const forgetCopy = (trust: TrustStore, code: TrustedCode): void =>
  rmSync(copyFolderOf(trust, code), { recursive: true, force: true });
