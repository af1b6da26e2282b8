import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
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
      word.replace(/^~(?=\/|$)/, () => homedir()),
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
  const show = (path: string): string | undefined => secretReason(roots, path);
  const change = (path: string, asksForAll = asksAll): string | undefined => {
    const { class: kind, reason } = judgeWrite(path, folders);
    if (kind === 'free') return undefined;
    if (asksForAll) return reason;
    const decides = isInside(path) ? kind !== 'asked' : path.split(sep).some(isGuardedName);
    return decides ? reason : undefined;
  };
  const leadsOutside = (word: string, folder: string): boolean => {
    if (word.length > maxPathLength) return false;
    const paths = [word, ...endsOf(word)];
    if (paths.length > maxPathsInWord) return true;
    return paths.some((text) => {
      const path = realPathOf(resolve(folder, text));
      return path !== '/dev/null' && !isInside(path) && mayBeFile(path);
    });
  };
  return {
    leadsOutside,
    read: (word) => look(word, show),
    write: (word) => look(word, (path) => show(path) ?? change(path)),
    output: (word) => look(word, (path) => change(path, false)),
    isInside: (word) =>
      word.includes('\n')
        ? !/^[~/]|\.\./.test(word)
        : look(word, (path) => (isInside(path) ? undefined : path)) === undefined,
  };
}

/** Of a word that is more than a path, such as `if=/etc/x`, `-f/etc/x` or `host:/etc/x`: what may be one. */
const endsOf = (word: string): readonly string[] =>
  [...word.matchAll(/[=:@,]|^-\w/g)].map(({ index, 0: { length } }) => word.slice(index + length));

/** It is there, or its folder is. A pattern for a search, such as `/api/users`, is usually neither. */
const mayBeFile = (path: string): boolean =>
  existsSync(path) || (dirname(path) !== '/' && existsSync(dirname(path)));
