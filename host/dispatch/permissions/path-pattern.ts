import { homedir } from 'node:os';
import { sep } from 'node:path';
import { realPathOf } from '../../core/files/paths.ts';

export interface PathPatternOptions {
  /** The folder where the pattern starts, absolute. */
  readonly folder: string;
  /** `allow` takes the pattern literally. `deny` ignores case, and takes a leading slash for either root. */
  readonly use: 'allow' | 'deny';
}

/** Segments of an absolute path: literal text, or text with `*` and `?`, or `**` for any number of folders. */
type Segment = { readonly text: string } | { readonly glob: string };

/**
 * Whether a pattern as in .gitignore matches a real path or a folder above it. `name` matches at any depth of the folder,
 * `a/b` and `/a` from the folder on, `~/a` from the user's home, `//a` from the root of the file system.
 */
export function matchesPath(pattern: string, path: string, options: PathPatternOptions): boolean {
  const names = segmentsOf(path);
  return placesOf(pattern, options).some((place) => matches(place, names, options.use));
}

/** Whether a file below the folder `path` may match. */
export function mayMatchInside(pattern: string, path: string, options: PathPatternOptions): boolean {
  const names = segmentsOf(path);
  return placesOf(pattern, options).some((place) => {
    for (const [index, name] of names.entries()) {
      const segment = place[index];
      if (segment === undefined || isFolders(segment)) return true;
      if (!matchesName(segment, name, options.use)) return false;
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
function placesOf(pattern: string, { folder, use }: PathPatternOptions): readonly (readonly Segment[])[] {
  const written = pattern.replace(/^\.\//, '').replace(/(?:\/\**)+$/, '');
  if (written.startsWith('//')) return [under('/', written)];
  if (written.startsWith('~/')) return [under(homedir(), written.slice(1))];
  if (written.startsWith('/'))
    return [under(folder, written), ...(use === 'deny' ? [under('/', written)] : [])];
  return [under(folder, written.includes('/') ? written : `**/${written}`)];
}

function under(folder: string, pattern: string): readonly Segment[] {
  const segments: Segment[] = segmentsOf(realPathOf(folder)).map((text) => ({ text }));
  for (const glob of pattern.split('/')) {
    if (glob === '..') segments.pop();
    else if (glob !== '' && glob !== '.') segments.push({ glob });
  }
  return segments;
}

const isFolders = (segment: Segment): boolean => 'glob' in segment && /^\*\*+$/.test(segment.glob);

/** The pattern may end at a folder above: then it means everything in it. */
function matches(
  place: readonly Segment[],
  names: readonly string[],
  use: PathPatternOptions['use'],
): boolean {
  /** How many names the segments so far may stand for. */
  let reached = new Set([0]);
  for (const segment of place) {
    const next = new Set<number>();
    for (const at of reached) {
      if (isFolders(segment)) for (let end = at; end <= names.length; end++) next.add(end);
      else if (at < names.length && matchesName(segment, names[at]!, use)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.size > 0;
}

function matchesName(segment: Segment, name: string, use: PathPatternOptions['use']): boolean {
  const flags = use === 'deny' ? 'sui' : 'su';
  const source =
    'text' in segment
      ? RegExp.escape(segment.text)
      : segment.glob.replaceAll(/\*+|\?|[^*?]+/g, (part) =>
          part.startsWith('*') ? '.*' : part === '?' ? '.' : RegExp.escape(part),
        );
  return new RegExp(`^${source}$`, flags).test(name);
}
