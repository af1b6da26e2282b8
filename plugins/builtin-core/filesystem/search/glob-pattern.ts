import { RE2JS } from 're2js';

/** Whether a path, separated by "/", matches. */
export type PathMatcher = (path: string) => boolean;

/**
 * With up to this many wildcards, a backtracking engine is fast for any path. Beyond it, RE2 is used, which is linear
 * but slower.
 */
const maxWildcards = 3;

/**
 * `*` and `?` match within a name, `**` across folders; `[a-z]`, `[!a]`, `{ts,tsx}` and `\` work as usual. Names that
 * begin with a dot are not special.
 */
export function toPathMatcher(glob: string): PathMatcher {
  const source = `^${toSource(glob)}$`;
  if ((glob.match(/\*+/g)?.length ?? 0) <= maxWildcards) {
    const expression = new RegExp(source, 'su');
    return (path) => expression.test(path);
  }
  const expression = RE2JS.compile(source, RE2JS.DOTALL);
  return (path) => expression.matcher(path).find();
}

/** A glob as a regular expression that both JavaScript and RE2 support. */
function toSource(glob: string): string {
  let source = '';
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    const rest = glob.slice(i);
    const start = i === 0 || glob[i - 1] === '/' || (depth > 0 && '{,'.includes(glob[i - 1]!));
    const anyFolders = start && /^\*\*+\//.exec(rest)?.[0];
    const bracket = /^\[([!^]?)((?:\\.|[^\]\\])+)\]/su.exec(rest);
    if (anyFolders) {
      source += '(?:[^/]+/)*';
      i += anyFolders.length - 1;
    } else if (rest.startsWith('*')) {
      const stars = /^\*+/.exec(rest)![0];
      source += start && stars.length > 1 ? '.*' : '[^/]*';
      i += stars.length - 1;
    } else if (rest.startsWith('?')) source += '[^/]';
    else if (bracket) {
      source += `[${bracket[1] === '' ? '' : '^/'}${toClass(bracket[2]!)}]`;
      i += bracket[0].length - 1;
    } else if (rest.startsWith('{') && rest.includes('}')) {
      source += '(?:';
      depth++;
    } else if (depth > 0 && rest.startsWith('}')) {
      source += ')';
      depth--;
    } else if (depth > 0 && rest.startsWith(',')) source += '|';
    else {
      if (rest.startsWith('\\') && i + 1 < glob.length) i++;
      source += literal(String.fromCodePoint(glob.codePointAt(i)!));
      if (glob.codePointAt(i)! > 0xffff) i++;
    }
  }
  return source + ')'.repeat(depth);
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const toClass = (body: string): string => body.replace(/\\(.)/gsu, '$1').replace(/[\\^[\]]/g, '\\$&');
