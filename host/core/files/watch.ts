import { watch, type FSWatcher } from 'node:fs';
import { lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

export interface WatchOptions {
  /** Is this path, and all below it, of no interest? Default: `ignoredInHome`. */
  readonly ignored?: (path: string) => boolean;
  /** Something that can't be watched: too many watches, no permission. Watching goes on without it. */
  readonly onError?: (cause: unknown, path: string) => void;
}

/** Milliseconds without a further event after which changes are told: an editor's save is several events. */
const quietMs = 15;
/** Milliseconds after which they are told although more keep coming. */
const maxDelayMs = 60;
const maxDepth = 16;

/**
 * Tells of changed files and folders below `root`, in batches: absolute paths, each once. A path says "look again", not
 * what happened. A folder stands for all that is in it. The root may be missing, vanish and come back.
 *
 * One watch a folder and none a file: 10,000 manifests cost as much as one, and what is ignored costs nothing.
 */
export function watchTree(
  root: string,
  onChange: (paths: readonly string[]) => void,
  { ignored = ignoredInHome(root), onError = () => {} }: WatchOptions = {},
): Disposable {
  const folders = new Map<string, WatchedFolder>();
  const batch = createBatch(onChange);
  let above: { readonly path: string; readonly watcher: FSWatcher } | undefined;

  const open = (path: string, onEvent: (name: string | null) => void): FSWatcher | undefined => {
    try {
      const watcher = watch(path, { persistent: false }, (_event, name) => onEvent(name));
      // A folder that is removed ends its watch; its parent tells of that.
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') onError(cause, path);
      return undefined;
    }
  };

  /** Watches the folder and all below; does nothing when that very folder is watched. */
  const enter = (path: string, depth: number): void => {
    const stat = folderAt(path);
    const known = folders.get(path);
    if (known && stat && known.inode === inodeOf(stat)) return;
    leave(path);
    if (!stat || depth > maxDepth || ignored(path) || isInside(inodeOf(stat), path)) return;
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
  /** A link's target lies in a folder that nobody else may watch. */
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
  const leave = (path: string): void => {
    for (const [known, folder] of folders) {
      if (known !== path && !known.startsWith(path + sep)) continue;
      folder.watcher.close();
      for (const watcher of folder.targets.values()) watcher.close();
      folders.delete(known);
    }
  };
  /** A link to a folder above itself would go round for ever. */
  const isInside = (inode: string, path: string): boolean => {
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

  /** Watches the nearest folder above that exists, until the root is there. */
  const waitForRoot = (): void => {
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
    // It may have come between the look and the watch.
    if (!folders.has(root) && folderAt(root)) {
      enter(root, 0);
      batch.add(root);
    }
  };

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
  /** Watches of the folders that hold what its links point to, by link. */
  readonly targets: Map<string, FSWatcher>;
}

/** In a home: packages and history anywhere, and what Pegboard itself writes under data/, except its state and logins. */
export function ignoredInHome(home: string): (path: string) => boolean {
  return (path) => {
    const steps = relative(home, path).split(sep);
    if (steps.includes('node_modules') || steps.includes('.git')) return true;
    if (steps[0] !== 'data' || steps.length === 1) return false;
    return steps[1] !== 'state.json' && !isOnTheWay(steps.slice(1), ['mcp', 'oauth']);
  };
}

/** Is it above `folder`, the same, or in it? */
const isOnTheWay = (steps: readonly string[], folder: readonly string[]): boolean =>
  folder.every((step, index) => index >= steps.length || steps[index] === step);

/** Collects paths until a moment without news, or until the first has waited long enough. */
function createBatch(tell: (paths: readonly string[]) => void): { add(path: string): void; close(): void } {
  let paths = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let first = 0;
  const flush = (): void => {
    const told = [...paths];
    paths = new Set();
    timer = undefined;
    tell(told);
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

/** Inode numbers are used again; with its time of birth one is unique. */
const inodeOf = ({ dev, ino, birthtimeMs }: Stats): string => `${dev}:${ino}:${birthtimeMs}`;

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
