import { sep } from 'node:path';
import ignore from 'ignore';
import { realPathOf } from '../../core/files/paths.ts';

export interface PathPatternOptions {
  /** The folder where the pattern starts, absolute. */
  readonly folder: string;
  /** `allow` takes the pattern literally. `deny` ignores case, and takes a leading slash for either root. */
  readonly use: 'allow' | 'deny';
  /** The user's own folder, absolute. */
  readonly userHome: string;
}

/** A part of an absolute path: any number of folders, or whether a name matches. */
type Segment = 'folders' | ((name: string) => boolean);

/**
 * Whether a pattern as in .gitignore matches a real path or a folder above it. `name` matches at any depth of the folder,
 * `a/b` and `/a` from the folder on, `~/a` from the user's home, `//a` from the root of the file system.
 */
export function pathMatcher(pattern: string, options: PathPatternOptions): (path: string) => boolean {
  const places = placesOf(pattern, options);
  return (path) => {
    const names = segmentsOf(path);
    return places.some((place) => matches(place, names));
  };
}

/** Whether a file below the folder `path` may match. */
export function mayMatchInside(pattern: string, path: string, options: PathPatternOptions): boolean {
  const names = segmentsOf(path);
  return placesOf(pattern, options).some((place) => {
    for (const [index, name] of names.entries()) {
      const segment = place[index];
      if (segment === undefined || segment === 'folders') return true;
      if (!segment(name)) return false;
    }
    return true;
  });
}

const segmentsOf = (path: string): readonly string[] =>
  path
    .split(sep)
    .join('/')
    .split('/')
    .filter((name) => name !== '');

/** What a pattern means as absolute paths; a leading slash may mean two. */
function placesOf(
  pattern: string,
  { folder, use, userHome }: PathPatternOptions,
): readonly (readonly Segment[])[] {
  const written = pattern.replace(/^\.\//, '').replace(/(?:\/\**)+$/, '');
  const under = (start: string, rest: string): readonly Segment[] => segmentsUnder(start, rest, use);
  if (pattern.startsWith('//')) return [under('/', written)];
  if (pattern.startsWith('~/')) return [under(userHome, written.slice(1))];
  if (written.startsWith('/'))
    return [under(folder, written), ...(use === 'deny' ? [under('/', written)] : [])];
  return [under(folder, written.includes('/') ? written : `**/${written}`)];
}

function segmentsUnder(folder: string, pattern: string, use: PathPatternOptions['use']): readonly Segment[] {
  const escaped = (name: string): string => name.replaceAll(/[\\*?[]/g, '\\$&');
  const segments = segmentsOf(realPathOf(folder)).map((name) => segmentOf(escaped(name), use));
  for (const glob of pattern.split('/')) {
    if (glob === '..') segments.pop();
    else if (glob !== '' && glob !== '.') segments.push(segmentOf(glob, use));
  }
  return segments;
}

function segmentOf(glob: string, use: PathPatternOptions['use']): Segment {
  if (/^\*\*+$/.test(glob)) return 'folders';
  // Git drops spaces at the end of a line; here they are part of a name.
  const pattern = `/${glob.replaceAll(/ (?= *$)/g, '\\ ')}`;
  const names = ignore({ ignorecase: use === 'deny', allowRelativePaths: true }).add([pattern]);
  // A name with brackets, as in app/[id], is denied as well as the set that they mean.
  if (use === 'deny') names.add([pattern.replaceAll(/(?<!\\)\[/g, '\\[')]);
  return (name) => names.ignores(name);
}

/** The pattern may end at a folder above: then it means everything in it. */
function matches(place: readonly Segment[], names: readonly string[]): boolean {
  /** How many names the segments so far may stand for. */
  let reached = new Set([0]);
  for (const segment of place) {
    const next = new Set<number>();
    for (const at of reached) {
      if (segment === 'folders') for (let end = at; end <= names.length; end++) next.add(end);
      else if (at < names.length && segment(names[at]!)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.size > 0;
}
