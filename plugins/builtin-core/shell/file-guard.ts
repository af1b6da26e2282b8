import { existsSync, readdirSync, statSync, type Dirent } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { PegboardError, type Caller, type KnownFolders } from 'pegboard';
import { actsForModel, isGitStore, isGuardedName, judgeRead, judgeWrite, realPathOf } from 'pegboard/files';
import { relativePathIn, type Roots } from '../filesystem/access/roots.ts';
import { secretReason } from '../filesystem/access/secret-files.ts';
import { createAskGit } from '../ask-git.ts';
import type { FileGuard } from './dangers.ts';
import { trackedFiles, wasNeverFolder } from './tracked-files.ts';

/** The kernel refuses longer ones. */
const maxPathLength = 4096;
const maxPathsInWord = 32;
/** Names in a folder that a command reads as a whole: 20,000 take about 50 ms. */
const maxInside = 20_000;

/**
 * The boundary of the file tools, for words of a command that runs in `cwd`. For a person's command, and for one whose
 * sandbox enforces the boundary, only files that decide what runs need confirmation.
 */
export function guardFrom(
  roots: Roots,
  cwd: string,
  { folders, caller }: { readonly folders: KnownFolders; readonly caller: Caller },
): FileGuard {
  const reached = new Map<string, string>();
  const reachedFrom = (folder: string, path: string): string => {
    const key = `${folder}\0${path}`;
    const place = reached.get(key) ?? followed(folder, path);
    reached.set(key, place);
    return place;
  };
  const askGit = createAskGit(roots.env);
  const asksAll = actsForModel(caller) && caller.sandbox === undefined;
  const look = (word: string, judge: (path: string) => string | undefined): string | undefined => {
    if (word === '' || word.length > maxPathLength || /[\n\0]/.test(word)) return undefined;
    const path = word.replace(/^~(?=\/|$)/, () => folders.userHome);
    try {
      return judge(reachedFrom(cwd, path));
    } catch (cause) {
      if (cause instanceof PegboardError) return cause.message;
      throw cause;
    }
  };
  const isInside = (path: string): boolean =>
    roots.all.some(({ real }) => relativePathIn(real, path) !== undefined);
  const isDenied = (path: string): boolean => caller.isDenied?.(path) ?? false;
  /** It may hold secrets, or belongs to Pegboard. */
  const isKept = (path: string): boolean =>
    ['secret', 'denied'].includes(judgeRead(path, roots.readable).class);
  const show = (path: string): string | undefined => secretReason(roots, path);
  const change = (path: string, asksForAll = asksAll): string | undefined => {
    const { class: kind, reason } = judgeWrite(path, folders);
    if (kind === 'free') return undefined;
    if (asksForAll) return reason;
    const decides = isInside(path) ? kind !== 'asked' : path.split(sep).some(isGuardedName);
    return decides ? reason : undefined;
  };
  /** Of the files in a folder and below, none of which is named. */
  const reachInside = (folder: string): ReturnType<FileGuard['outOfReach']> => {
    const waiting = [folder];
    let entries = 0;
    for (const current of waiting)
      for (const entry of entriesIn(current)) {
        const path = join(current, entry.name);
        // Nothing in there is text, and no option to print it all the same is allowed.
        if (isGitStore(path)) continue;
        if (++entries > maxInside || isDenied(path) || isKept(path)) return 'denied';
        if (entry.isSymbolicLink() && !isInside(realPathOf(path))) return 'denied';
        if (entry.isDirectory()) waiting.push(path);
      }
    return undefined;
  };
  /** Of the files that git has or would take, in a folder's repository. */
  const reachTracked = (folder: string): ReturnType<FileGuard['outOfReach']> => {
    const tracked = trackedFiles(folder, maxInside, askGit);
    if (!tracked) return 'denied';
    const places = new Map<string, string>();
    for (const path of tracked) {
      const above = dirname(path);
      const real = places.get(above) ?? realPathOf(above);
      places.set(above, real);
      const place = join(real, basename(path));
      if (!isInside(place)) return 'outside';
      if ([path, place].some((one) => isDenied(one) || isKept(one))) return 'denied';
    }
    return undefined;
  };
  const outOfReach: FileGuard['outOfReach'] = (word, folder, at) => {
    if (word.length > maxPathLength) return undefined;
    const texts = [word, ...endsOf(word)];
    if (texts.length > maxPathsInWord) return 'denied';
    const paths = texts
      .map((text) => reachedFrom(folder, text))
      .filter((path) => path !== '/dev/null' && mayBeFile(path));
    if (paths.some((path) => isDenied(path) || isKept(path))) return 'denied';
    if (!paths.every(isInside)) return 'outside';
    if (at === 'ever')
      return isFile(folder, word) && wasNeverFolder(folder, word, askGit) ? undefined : 'denied';
    if (at === 'tracked') return reachTracked(folder);
    return at ? paths.map(reachInside).find((reach) => reach !== undefined) : undefined;
  };
  return {
    outOfReach,
    isFolder: (word) => statSync(resolve(cwd, word), { throwIfNoEntry: false })?.isDirectory() === true,
    read: (word) => look(word, show),
    write: (word) => look(word, (path) => show(path) ?? change(path)),
    redirected: (word) => look(word, (path) => change(path, caller.sandbox === undefined)),
    output: (word) => look(word, (path) => change(path, false)),
    keptFrom: (word) => {
      const outside = `${word} is outside the folders of the file tools`;
      if (word.includes('\n')) return /^[~/]|\.\./.test(word) ? outside : undefined;
      return look(word, (path) => {
        if (isDenied(path) && mayBeFile(path)) return `a permission rule denies ${word} to file tools`;
        return isInside(path) ? undefined : outside;
      });
    },
  };
}

/** Whether it is a file to git, which follows no link. */
function isFile(folder: string, word: string): boolean {
  const path = resolve(folder, word);
  return path === realPathOf(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The real path. Other than for a shell's `cd`, the folder above a link is that of what it leads to. */
const followed = (folder: string, path: string): string =>
  path
    .split(/(?<=\/)\.\.(?=\/|$)/)
    .reduce(
      (at, part, index) => realPathOf(index === 0 ? resolve(at, part) : resolve(at, '..', `.${part}`)),
      isAbsolute(path) ? '/' : folder,
    );

/** Of a word that is more than a path, such as `if=/etc/x`, `-f/etc/x` or `host:/etc/x`: what may be one. */
const endsOf = (word: string): readonly string[] =>
  [...word.matchAll(/[=:@,]|^-\w/g)]
    .map(({ index, 0: { length } }) => word.slice(index + length))
    .filter((text) => text !== '');

/** It is there, or its folder is. A pattern for a search, such as `/api/users`, is usually neither. */
const mayBeFile = (path: string): boolean =>
  existsSync(path) || (dirname(path) !== '/' && existsSync(dirname(path)));
