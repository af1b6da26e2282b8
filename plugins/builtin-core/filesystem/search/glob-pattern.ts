import { Minimatch } from 'minimatch';

/** Whether a path, separated by "/", matches. */
export type PathMatcher = (path: string) => boolean;

/**
 * `*` and `?` match within a name, `**` across folders, also where a name begins with it (`**.ts`); `[a-z]`, `[!a]`,
 * `{ts,tsx}` and `\` work as usual. Names that begin with a dot are not special. Takes no long time for any pattern.
 */
export function toPathMatcher(glob: string): PathMatcher {
  const plain = { dot: true, noext: true, nonegate: true, nocomment: true, platform: 'linux' } as const;
  const written = glob.replaceAll(/(?<=^|[/{,])\*{2,}(?=[^/*,}])/g, '**/*');
  const pattern = new Minimatch(written, { ...plain, braceExpandMax: 1_000 });
  return (path) => pattern.match(path);
}
