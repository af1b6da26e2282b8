import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { configFiles } from '../../core/files/config-files.ts';
import { isWithin, realPathOf } from '../../core/files/paths.ts';
import { explainSystemError, fileErrorInWords } from '../../core/system-error.ts';
import { makePrivateFile, makePrivateFolder } from '../../core/files/private-data.ts';
import { PegboardError } from '../../core/errors.ts';
import { databaseFileOf } from './file.ts';
import { isInUse } from './in-use.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

/** The contents file of a backup. */
interface Contents {
  readonly pegboard: string;
  /** ISO 8601 */
  readonly at: string;
  /** SHA-256 by path in the home. */
  readonly files: { readonly [path: string]: string };
}

export interface BackupReport {
  readonly folder: string;
  readonly files: number;
  /** Bytes. */
  readonly size: number;
}

export const contentsFile = 'pegboard-backup.json';
const database = 'data/pegboard.db';
/** The parts of a home that are backed up. Secrets and trust are not, since a backup may leave the machine. */
const kept = [
  ...configFiles,
  '.gitignore',
  '.vscode',
  'spaces',
  'plugins',
  'data/state.json',
  'data/file-origins.json',
  'data/artifacts',
  'data/page',
];

/**
 * Copies a home, also while it runs: a consistent copy of the database, and everything else unchanged. `folder` must
 * not exist. Throws PEG_USAGE.
 */
export function backUpHome(home: string, folder: string, version: string): BackupReport {
  if (existsSync(folder))
    throw new PegboardError('PEG_USAGE', `${folder} exists already; name a new folder.`);
  const around = kept.find((part) => isWithin(realPathOf(join(home, part)), realPathOf(folder)));
  if (around !== undefined)
    throw new PegboardError(
      'PEG_USAGE',
      `${folder} lies in ${join(home, around)}, which is part of the backup; name a folder elsewhere.`,
    );
  const unfinished = `${folder}.unfinished`;
  makeUnfinished(unfinished, folder);
  using failed = new DisposableStack();
  failed.defer(() => rmSync(unfinished, { recursive: true, force: true }));
  for (const part of kept) {
    const from = join(home, part);
    if (!existsSync(from)) continue;
    makePrivateFolder(dirname(join(unfinished, part)));
    cpSync(from, join(unfinished, part), { recursive: true, filter: (path) => isKept(home, path) });
  }
  copyDatabase(home, join(unfinished, database));
  const paths = writeContents(unfinished, version);
  renameSync(unfinished, folder);
  failed.move();
  const size = paths.reduce((sum, path) => sum + readFileSync(join(folder, path)).length, 0);
  return { folder, files: paths.length, size };
}

/** Lists what a folder has, with its hashes, which makes it a backup. Returns the paths. */
function writeContents(folder: string, version: string): readonly string[] {
  const paths = filesIn(folder);
  const files = Object.fromEntries(paths.map((path) => [path, hashOf(join(folder, path))!]));
  const contents: Contents = { pegboard: version, at: new Date().toISOString(), files };
  writeFileSync(join(folder, contentsFile), JSON.stringify(contents, null, 2), { mode: 0o600 });
  return paths;
}

function makeUnfinished(unfinished: string, folder: string): void {
  try {
    rmSync(unfinished, { recursive: true, force: true });
    makePrivateFolder(unfinished);
  } catch (cause) {
    throw explainSystemError(cause, folder) ?? cause;
  }
}

/** Pipes, sockets and devices have no content of their own. */
function isKept(home: string, path: string): boolean {
  if (relative(home, path).split(sep).includes('node_modules')) return false;
  const found = lstatSync(path);
  return found.isFile() || found.isDirectory() || found.isSymbolicLink();
}

function copyDatabase(home: string, to: string): void {
  const from = databaseFileOf(home);
  if (!existsSync(from)) return;
  makePrivateFolder(dirname(to));
  makePrivateFile(to);
  const open = new DatabaseSync(from, { timeout: 5_000, readOnly: true });
  try {
    open.prepare('vacuum into ?').run(to);
  } catch (cause) {
    throw new PegboardError(
      'PEG_DATABASE',
      `The database ${from} can't be copied: ${asSentence(fileErrorInWords(cause))}`,
      { cause },
    );
  } finally {
    open.close();
  }
}

/**
 * Restores a backup's files into a home, after checking all of them. Existing files are moved to `aside`, which is a
 * backup too, so that nothing is lost. Throws with nothing changed: PEG_USAGE for a folder that is not a backup or was damaged, PEG_DENIED
 * while another process has the home's database open.
 */
export function restoreHome(folder: string, home: string, aside: string, version: string): BackupReport {
  const contents = readContents(folder);
  const damaged = Object.entries(contents.files).filter(
    ([path, hash]) => hashOf(join(folder, path)) !== hash,
  );
  if (damaged.length > 0) {
    const names = damaged.map(([path]) => path).join(', ');
    throw new PegboardError('PEG_USAGE', `The backup ${folder} is damaged: ${names}. Nothing was changed.`);
  }
  if (isInUse(databaseFileOf(home))) {
    throw new PegboardError(
      'PEG_DENIED',
      `Another Pegboard uses ${home}: stop it first (a server, a chat, or a coding client that has started one). Nothing was changed.`,
    );
  }
  const there = [...kept, database, `${database}-wal`, `${database}-shm`].filter((part) =>
    existsSync(join(home, part)),
  );
  for (const part of there) {
    makePrivateFolder(dirname(join(aside, part)));
    renameSync(join(home, part), join(aside, part));
  }
  if (there.length > 0) writeContents(aside, version);
  let size = 0;
  for (const path of Object.keys(contents.files)) {
    const content = readFileSync(join(folder, path));
    size += content.length;
    const isData = path.startsWith('data/');
    mkdirSync(dirname(join(home, path)), { recursive: true, ...(isData && { mode: 0o700 }) });
    writeFileSync(join(home, path), content, isData ? { mode: 0o600 } : {});
  }
  return { folder, files: Object.keys(contents.files).length, size };
}

function readContents(folder: string): Contents {
  try {
    return parseJson(readFileSync(join(folder, contentsFile), 'utf8')) as Contents;
  } catch {
    throw new PegboardError('PEG_USAGE', `${folder} is not a backup: it has no readable ${contentsFile}.`);
  }
}

function hashOf(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return undefined;
  }
}

/** Paths relative to the folder, with slashes, in order. */
function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return filesIn(folder, path);
      return entry.isFile() ? [path] : [];
    });
}
