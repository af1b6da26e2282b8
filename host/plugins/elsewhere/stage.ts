import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { draftName } from '../../core/files/draft.ts';
import { makeFolder } from '../../core/files/make-folder.ts';
import { hashCode } from '../loading/folder-hash.ts';
import type { PluginManifest } from '../loading/manifest.ts';
import { checkVersions, readPackage } from './check-package.ts';
import type { Fetched, FetchPlace } from './fetched.ts';
import { fetchFromGit } from './git.ts';
import { ownFilesIn, writeLock, type PluginLock } from './lock.ts';
import { fetchFromNpm, packageJsonIn } from './npm.ts';
import { textIn, type PackageFiles } from './package-files.ts';
import { installPackages, wantedPackages, type InstalledPackages } from './packages.ts';
import { readPath } from './path.ts';
import { sourceText, type PluginSource } from './source.ts';
import { hashOfTree, treeOf } from './tree.ts';

/** A plugin from elsewhere, complete and not yet in its place. Nothing of it has run. Disposing it removes its files. */
export interface StagedPlugin extends Disposable {
  /** In the folder of the staged files, which is on the home's own disk. */
  readonly manifest: PluginManifest;
  /** Of the files that are approved. */
  readonly hash: string;
  readonly lock: PluginLock;
  readonly hasProvenance: boolean;
  /** Its source names a tag of a git repository. */
  readonly isTagged: boolean;
  /** Of its own files. */
  readonly bytes: number;
  readonly packageBytes: number;
}

export interface StageOptions extends Pick<FetchPlace, 'env'> {
  readonly home: string;
  /** Of the running Pegboard. */
  readonly version: string;
  readonly signal: AbortSignal;
}

/**
 * Downloads or copies a plugin with its packages, and checks it. Throws PEG_DENIED for what can't be a plugin here,
 * PEG_LIMIT for one that is too large, PEG_COMMAND_FAILED when npm or git fails.
 */
export async function stagePlugin(
  source: PluginSource,
  { home, version, env, signal }: StageOptions,
): Promise<StagedPlugin> {
  using owned = new DisposableStack();
  const downloads = mkdtempSync(join(tmpdir(), 'pegboard-plugin-'));
  owned.defer(() => rmSync(downloads, { recursive: true, force: true }));
  const place: FetchPlace = { downloads, env, signal };
  const fetched = await fetchFrom(source, place);
  const { files, integrity, publisher } = fetched;
  const from = fetched.resolved.replace(/^(?:npm|git):/, '');
  const packageJson = packageJsonIn(textIn(files, 'package.json') ?? '{}', from);

  using staged = new DisposableStack();
  const draft = join(home, 'plugins', draftName());
  staged.defer(() => rmSync(draft, { recursive: true, force: true }));
  // One folder deeper than plugins are looked for.
  const folder = join(draft, 'plugin');
  writeFiles(files, folder);
  const manifest = await readPackage(folder, from);
  await checkVersions(manifest, packageJson, from, version);
  const wanted = wantedPackages(packageJson, from);
  const installed = await installPackages(wanted, join(draft, 'packages'), from, place);
  if (installed) renameSync(installed.folder, join(folder, 'node_modules'));
  const lock: PluginLock = {
    lockVersion: 1,
    source: sourceText(source),
    resolved: fetched.resolved,
    version: manifest.version,
    ...(integrity !== undefined && { integrity }),
    ...(publisher !== undefined && { publisher }),
    files: ownFilesIn(folder),
    ...(installed && { packages: lockedPackages(folder, installed) }),
  };
  writeLock(folder, lock);
  const kept = staged.move();
  return {
    manifest,
    hash: hashCode(manifest),
    lock,
    hasProvenance: fetched.hasProvenance === true,
    isTagged: fetched.isTagged === true,
    bytes: [...files.values()].reduce((sum, { content }) => sum + content.length, 0),
    packageBytes: treeOf(join(folder, 'node_modules')).bytes,
    [Symbol.dispose]: () => kept.dispose(),
  };
}

function lockedPackages(
  folder: string,
  { packages }: InstalledPackages,
): NonNullable<PluginLock['packages']> {
  const modules = join(folder, 'node_modules');
  return { hash: hashOfTree(modules, treeOf(modules)), installed: packages };
}

async function fetchFrom(source: PluginSource, place: FetchPlace): Promise<Fetched> {
  if (source.kind === 'npm') return await fetchFromNpm(source, place);
  if (source.kind === 'git') return await fetchFromGit(source, place);
  return readPath(source.path);
}

function writeFiles(files: PackageFiles, folder: string): void {
  makeFolder(folder);
  for (const [name, { content, isExecutable }] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { flag: 'wx', mode: isExecutable ? 0o755 : 0o644 });
  }
}
