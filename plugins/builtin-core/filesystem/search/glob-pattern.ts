import { Minimatch } from 'minimatch';

/** Whether a path, separated by "/", matches. */
export type PathMatcher = (path: string) => boolean;

/**
 * `*` and `?` match within a name, `**` across folders; `[a-z]`, `[!a]`, `{ts,tsx}` and `\` work as usual. Names that
 * begin with a dot are not special. Takes no long time for any pattern and path.
 */
export function toPathMatcher(glob: string): PathMatcher {
  const plain = { dot: true, noext: true, nonegate: true, nocomment: true, platform: 'linux' } as const;
  const pattern = new Minimatch(glob, { ...plain, braceExpandMax: 1_000 });
  return (path) => pattern.match(path);
}
