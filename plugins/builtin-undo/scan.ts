import { basename, dirname, join } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { openFolder, openSubfolder } from 'pegboard/files';
import { isDraft, isPlaceholder, isWithin, namesInFolder } from 'pegboard/kit';
import { absent, lookAt, type Seen, type StoredFile, type FileState } from './file-state.ts';

/** Folders that are made by programs and can be made again, or have a history of their own. */
const skippedNames: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.venv',
  '__pycache__',
  'node_modules',
]);

/** A file whose content may be read. */
export interface FoundFile {
  /** Absolute and real. */
  readonly path: string;
  /** For system calls, valid during the callback. */
  readonly at: string;
  readonly state: StoredFile;
  readonly changedAt: number;
}

export interface ScanOptions {
  /** With what is in folders. */
  readonly deep: boolean;
  /** Maximum number of entries below one path. */
  readonly maxEntries: number;
  /** Folders that are not looked at. */
  readonly without?: readonly string[];
  /** The hash of a file's content, if it is to be read. */
  readonly hash: (file: FoundFile) => string | undefined;
}

/** A part of what was to be looked at and wasn't. */
export interface Uncovered {
  readonly path: string;
  readonly why: 'too many files' | 'unreadable' | 'outside';
}

export interface Scan {
  /** By absolute path, folders before their contents. */
  readonly entries: ReadonlyMap<string, Seen>;
  readonly uncovered: readonly Uncovered[];
}

/** Entries between two pauses for other work. */
const stride = 200;

/**
 * Looks at `paths`, which are absolute and real: only the last name may be a link. Of a path that doesn't exist, the
 * missing folders above are entries too. Follows no links: what is behind one doesn't exist.
 */
export async function scan(paths: readonly string[], options: ScanOptions): Promise<Scan> {
  const entries = new Map<string, Seen>();
  const uncovered: Uncovered[] = [];
  for (const path of options.deep ? outermost(paths) : new Set(paths)) {
    const found = new Map<string, Seen>();
    if (await scanOne(path, found, options, uncovered)) for (const entry of found) entries.set(...entry);
    else uncovered.push({ path, why: 'too many files' });
  }
  return { entries, uncovered };
}

/** False when there are too many entries. */
async function scanOne(
  path: string,
  found: Map<string, Seen>,
  { deep, maxEntries, without = [], hash }: ScanOptions,
  uncovered: Uncovered[],
): Promise<boolean> {
  const note = (at: string, path: string): Seen => {
    const seen = lookAt(at);
    const { state, changedAt } = seen;
    const content = state.type === 'file' ? hash({ path, at, state, changedAt }) : undefined;
    const noted =
      content === undefined ? seen : { ...seen, state: { ...state, hash: content } as StoredFile };
    if (state.type === 'absent') return noted;
    found.set(path, noted);
    return noted;
  };

  const enter = async (folder: string, path: string): Promise<boolean> => {
    let names;
    try {
      names = namesInFolder(folder).toSorted();
    } catch {
      uncovered.push({ path, why: 'unreadable' });
      return true;
    }
    for (const name of names) {
      if (found.size % stride === stride - 1) await turnOfLoop();
      const inner = join(path, name);
      if (isDraft(name) || without.includes(inner)) continue;
      if (found.size >= maxEntries) return false;
      const { state } = note(`${folder}/${name}`, inner);
      if (state.type !== 'folder') continue;
      if (isPlaceholder(`${folder}/${name}`)) found.delete(inner);
      else if (skippedNames.has(name)) found.set(inner, { state: { type: 'skipped' }, changedAt: 0 });
      else {
        using subfolder = openSubfolder(folder, name);
        if (subfolder && !(await enter(subfolder.path, inner))) return false;
      }
    }
    return true;
  };

  using parent = existingFolder(dirname(path));
  if (!parent) {
    for (let missing = path; isMissing(missing); missing = dirname(missing)) found.set(missing, absent);
    return true;
  }
  const { state } = note(`${parent.path}/${basename(path)}`, path);
  if (state.type === 'absent') found.set(path, absent);
  if (state.type !== 'folder' || !deep) return true;
  using folder = openSubfolder(parent.path, basename(path));
  return !folder || (await enter(folder.path, path));
}

/** Undefined when it or a folder above doesn't exist, or is a link or a file. */
function existingFolder(path: string): ReturnType<typeof openFolder> | undefined {
  try {
    return openFolder(path);
  } catch (cause) {
    const { code } = cause as { readonly code?: string };
    if (code === 'ENOENT' || code === 'PEG_DENIED') return undefined;
    throw cause;
  }
}

function isMissing(path: string): boolean {
  using parent = existingFolder(dirname(path));
  return !parent || lookAt(`${parent.path}/${basename(path)}`).state.type === 'absent';
}

const outermost = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].filter((path) => !paths.some((other) => other !== path && isWithin(other, path)));

/** The states of single paths. */
export async function lookAtAll(
  paths: readonly string[],
  hash: (file: FoundFile) => string | undefined,
): Promise<ReadonlyMap<string, FileState>> {
  const now = new Map<string, FileState>();
  for (const path of paths) {
    try {
      const { entries } = await scan([path], { deep: false, maxEntries: 1, hash });
      now.set(path, entries.get(path)?.state ?? absent.state);
    } catch {
      // A folder on the way is a link or a file now: something else is there.
      now.set(path, { type: 'other' });
    }
  }
  return now;
}
