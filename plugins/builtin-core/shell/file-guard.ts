import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { PegboardError } from 'pegboard';
import { guardOf } from '../filesystem/guarded.ts';
import type { Roots } from '../filesystem/roots.ts';
import type { FileGuard } from './dangers.ts';

/** The guards of the file tools, for words of a command that runs in `cwd`. */
export function guardFrom(roots: Roots, cwd: string): FileGuard {
  const look = (word: string, way: 'read' | 'write'): string | undefined => {
    if (word === '' || word.length > 4096 || /[\n\0]/.test(word)) return undefined;
    try {
      return guardOf(
        roots,
        resolve(
          cwd,
          word.replace(/^~(?=\/|$)/, () => homedir()),
        ),
      )[way];
    } catch (cause) {
      if (cause instanceof PegboardError) return cause.message;
      throw cause;
    }
  };
  return { read: (word) => look(word, 'read'), write: (word) => look(word, 'write') };
}
