import { watch, type FSWatcher } from 'node:fs';
import { lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

export interface WatchOptions {
  /** True for a path to skip, with everything below it. Default: `ignoredInHome`. */
  readonly ignored?: (path: string) => boolean;
  /** Called for a path that can't be watched (too many watches, no permission). The rest stays watched. */
  readonly onError?: (cause: unknown, path: string) => void;
}

/** Milliseconds without a further event before a batch is reported: one save in an editor is several events. */
const quietMs = 15;
/** Milliseconds after which a batch is reported even if more events keep coming. */
const maxDelayMs = 60;
const maxDepth = 16;

/**
 * Reports changed files and folders below `root` in batches of absolute paths, each once. A path means "look again" and
 * doesn't say what happened; a folder means everything in it. The root may be missing, disappear and come back.
 *
 * Uses one watch per folder and none per file, so 10,000 manifests cost as much as one. Ignored folders cost nothing.
 */
export function watchTree(
  root: string,
  onChange: (paths: readonly string[]) => void,
  { ignored = ignoredInHome(root), onError = () => {} }: WatchOptions = {},
): Disposable {
  const folders = new Map<string, WatchedFolder>();
  const batch = createBatch(onChange);
  let above: { readonly path: string; readonly watcher: FSWatcher } | undefined;

  const open = (path: string, onEvent: (name: string | null) => void): FSWatcher | undefined =>
    openWatcher(path, onEvent, onError);

  /** Watches a folder and everything below it. Does nothing if that same folder is already watched. */
  const enter = (path: string, depth: number): void => {
    const stat = folderAt(path);
    const known = folders.get(path);
    if (known && stat && known.inode === inodeOf(stat)) return;
    leave(path);
    if (!stat || depth > maxDepth || ignored(path)) return;
    if (isLoop(path, inodeOf(stat))) return;
    const watcher = open(path, (name) => onEvent(path, depth, name));
    if (!watcher) return;
    const folder: WatchedFolder = { inode: inodeOf(stat), watcher, targets: new Map() };
    folders.set(path, folder);
    for (const entry of entriesOf(path)) {
      const child = join(path, entry.name);
      if (entry.isDirectory()) enter(child, depth + 1);
      else if (entry.isSymbolicLink()) enterLink(folder, child, depth);
    }
  };
  /** The target of a link may lie in a folder that isn't watched otherwise. */
  const enterLink = (folder: WatchedFolder, link: string, depth: number): void => {
    folder.targets.get(link)?.close();
    folder.targets.delete(link);
    const target = targetOf(link);
    if (target === undefined) return;
    if (folderAt(target)) return enter(link, depth + 1);
    const watcher = open(dirname(target), (name) => {
      if (name === null || name === basename(target)) batch.add(link);
    });
    if (watcher) folder.targets.set(link, watcher);
  };
  const leave = (path: string): void => closeWithin(folders, path);
  /** A link to a folder above itself would be followed forever. */
  const isLoop = (path: string, inode: string): boolean => {
    for (let at = dirname(path); at.length >= root.length; at = dirname(at)) {
      if (folders.get(at)?.inode === inode) return true;
      if (at === dirname(at)) break;
    }
    return false;
  };

  const onEvent = (folder: string, depth: number, name: string | null): void => {
    if (!folderAt(folder)) return vanished(folder);
    const path = name === null ? folder : join(folder, name);
    if (ignored(path)) return;
    const link = isLink(path);
    if (link) enterLink(folders.get(folder)!, path, depth);
    else if (name !== null) enter(path, depth + 1);
    batch.add(path);
  };
  const vanished = (path: string): void => {
    leave(path);
    batch.add(path);
    if (path === root) waitForRoot();
  };

  /** Watches the nearest existing folder above the root until the root exists. */
  const waitForRoot = (): void => {
    const there = folders.has(root);
    above?.watcher.close();
    above = undefined;
    enter(root, 0);
    let path = dirname(root);
    while (!folderAt(path) && path !== dirname(path)) path = dirname(path);
    const watcher = open(path, () => {
      const there = folders.has(root);
      enter(root, 0);
      if (there !== folders.has(root)) batch.add(root);
      if (folderAt(dirname(root)) && above?.path !== dirname(root)) waitForRoot();
      else if (!folderAt(path)) waitForRoot();
    });
    if (watcher) above = { path, watcher };
    // The root may have been created between the check and the watch, or just before.
    if (!folders.has(root)) enter(root, 0);
    if (!there && folders.has(root)) batch.add(root);
  };

  enter(root, 0);
  waitForRoot();
  return {
    [Symbol.dispose]() {
      batch.close();
      leave(root);
      above?.watcher.close();
    },
  };
}

interface WatchedFolder {
  readonly inode: string;
  readonly watcher: FSWatcher;
  /** Watches on the folders that hold the targets of its links, by link. */
  readonly targets: Map<string, FSWatcher>;
}

function openWatcher(
  path: string,
  onEvent: (name: string | null) => void,
  onError: (cause: unknown, path: string) => void,
): FSWatcher | undefined {
  try {
    const watcher = watch(path, { persistent: false }, (_event, name) => onEvent(name));
    // Removing a folder ends its watch; the watch of its parent reports that.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') onError(cause, path);
    return undefined;
  }
}

/** Closes the watches of `path` and of everything below it. */
function closeWithin(folders: Map<string, WatchedFolder>, path: string): void {
  for (const [known, folder] of folders) {
    if (known !== path && !known.startsWith(path + sep)) continue;
    folder.watcher.close();
    for (const watcher of folder.targets.values()) watcher.close();
    folders.delete(known);
  }
}

/** Ignores node_modules and .git anywhere, and what Pegboard writes under data/ except its state and logins. */
function ignoredInHome(home: string): (path: string) => boolean {
  return (path) => {
    const steps = relative(home, path).split(sep);
    if (steps.includes('node_modules') || steps.includes('.git')) return true;
    if (steps[0] !== 'data' || steps.length === 1) return false;
    return steps[1] !== 'state.json' && !overlaps(steps.slice(1), ['mcp', 'oauth']);
  };
}

/** Is the path above `folder`, equal to it, or inside it? */
const overlaps = (steps: readonly string[], folder: readonly string[]): boolean =>
  folder.every((step, index) => index >= steps.length || steps[index] === step);

/** Collects paths until none has come for `quietMs`, or until the first has waited for `maxDelayMs`. */
function createBatch(report: (paths: readonly string[]) => void): { add(path: string): void; close(): void } {
  let paths = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let first = 0;
  const flush = (): void => {
    const batch = [...paths];
    paths = new Set();
    timer = undefined;
    report(batch);
  };
  return {
    add(path) {
      const now = performance.now();
      if (paths.size === 0) first = now;
      paths.add(path);
      clearTimeout(timer);
      timer = setTimeout(flush, Math.max(0, Math.min(quietMs, maxDelayMs - (now - first))));
      timer.unref();
    },
    close: () => clearTimeout(timer),
  };
}

function folderAt(path: string): Stats | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isDirectory() ? stat : undefined;
  } catch {
    return undefined;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    return false;
  }
}

function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    return undefined;
  }
}

/** Inode numbers are reused; together with the creation time they are unique. */
const inodeOf = ({ dev, ino, birthtimeMs }: Stats): string => `${dev}:${ino}:${birthtimeMs}`;

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
