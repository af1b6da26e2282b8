import { watch } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pegboard';
import { splitPattern } from '../filesystem/glob.ts';
import { toPathMatcher } from '../filesystem/search/glob-pattern.ts';
import { reach } from '../filesystem/access/reach.ts';
import type { Roots } from '../filesystem/access/roots.ts';

/**
 * Reports changes of files that may match the pattern. Events may be missed, on a network drive all of them, so the
 * regular checks remain necessary.
 */
export function watchFiles(
  roots: Roots,
  pattern: string,
  { changed, log }: { readonly changed: () => void; readonly log: Logger },
): Disposable {
  const { prefix, rest } = splitPattern(pattern);
  const matches = toPathMatcher(rest);
  try {
    using reached = reach(roots, prefix === '' ? '.' : prefix);
    if (!reached.stats?.isDirectory()) return nothing;
    const recursive = rest.includes('/') || rest.includes('**');
    const watching = watch(reached.path, { recursive, persistent: false }, (_event, name) => {
      if (name === null || matches(join('.', name))) changed();
    });
    watching.on('error', (cause) => {
      log.warn('files are checked only at intervals', { pattern, cause });
      watching.close();
    });
    return { [Symbol.dispose]: () => watching.close() };
  } catch (cause) {
    log.warn('files are checked only at intervals', { pattern, cause });
    return nothing;
  }
}

const nothing: Disposable = { [Symbol.dispose]: () => {} };
