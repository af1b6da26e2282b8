import { homedir } from 'node:os';
import { resolve, sep } from 'node:path';
import { PegboardError, type Caller, type KnownFolders } from 'pegboard';
import { actsForModel, isGuardedName, judgeWrite, realPathOf } from 'pegboard/files';
import { relativePathIn, type Roots } from '../filesystem/access/roots.ts';
import { secretReason } from '../filesystem/access/secret-files.ts';
import type { FileGuard } from './dangers.ts';

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
    if (word === '' || word.length > 4096 || /[\n\0]/.test(word)) return undefined;
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
  return {
    read: (word) => look(word, show),
    write: (word) => look(word, (path) => show(path) ?? change(path)),
    output: (word) => look(word, (path) => change(path, false)),
    isInside: (word) =>
      word.includes('\n')
        ? !/^[~/]|\.\./.test(word)
        : look(word, (path) => (isInside(path) ? undefined : path)) === undefined,
  };
}
