import { existsSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { PegboardError, type Caller, type KnownFolders } from 'pegboard';
import { actsForModel, isGuardedName, judgeWrite, realPathOf } from 'pegboard/files';
import { relativePathIn, type Roots } from '../filesystem/access/roots.ts';
import { secretReason } from '../filesystem/access/secret-files.ts';
import type { FileGuard } from './dangers.ts';

/** The kernel refuses longer ones. */
const maxPathLength = 4096;
const maxPathsInWord = 32;

/**
 * The boundary of the file tools, for words of a command that runs in `cwd`. For a person's command, and for one whose
 * sandbox enforces the boundary, only files that decide what runs need confirmation.
 */
export function guardFrom(
  roots: Roots,
  cwd: string,
  { folders, caller }: { readonly folders: KnownFolders; readonly caller: Caller },
): FileGuard {
  const asksAll = actsForModel(caller) && caller.sandbox === undefined;
  const look = (word: string, judge: (path: string) => string | undefined): string | undefined => {
    if (word === '' || word.length > maxPathLength || /[\n\0]/.test(word)) return undefined;
    const path = resolve(
      cwd,
      word.replace(/^~(?=\/|$)/, () => folders.userHome),
    );
    try {
      return judge(realPathOf(path));
    } catch (cause) {
      if (cause instanceof PegboardError) return cause.message;
      throw cause;
    }
  };
  const isInside = (path: string): boolean =>
    roots.all.some(({ real }) => relativePathIn(real, path) !== undefined);
  const isDenied = (path: string): boolean => caller.isDenied?.(path) ?? false;
  const show = (path: string): string | undefined => secretReason(roots, path);
  const change = (path: string, asksForAll = asksAll): string | undefined => {
    const { class: kind, reason } = judgeWrite(path, folders);
    if (kind === 'free') return undefined;
    if (asksForAll) return reason;
    const decides = isInside(path) ? kind !== 'asked' : path.split(sep).some(isGuardedName);
    return decides ? reason : undefined;
  };
  const outOfReach: FileGuard['outOfReach'] = (word, folder) => {
    if (word.length > maxPathLength) return undefined;
    const texts = [word, ...endsOf(word)];
    if (texts.length > maxPathsInWord) return 'denied';
    const paths = texts
      .map((text) => realPathOf(resolve(folder, text)))
      .filter((path) => path !== '/dev/null' && mayBeFile(path));
    if (paths.some(isDenied)) return 'denied';
    return paths.every(isInside) ? undefined : 'outside';
  };
  return {
    outOfReach,
    read: (word) => look(word, show),
    write: (word) => look(word, (path) => show(path) ?? change(path)),
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

/** Of a word that is more than a path, such as `if=/etc/x`, `-f/etc/x` or `host:/etc/x`: what may be one. */
const endsOf = (word: string): readonly string[] =>
  [...word.matchAll(/[=:@,]|^-\w/g)].map(({ index, 0: { length } }) => word.slice(index + length));

/** It is there, or its folder is. A pattern for a search, such as `/api/users`, is usually neither. */
const mayBeFile = (path: string): boolean =>
  existsSync(path) || (dirname(path) !== '/' && existsSync(dirname(path)));
