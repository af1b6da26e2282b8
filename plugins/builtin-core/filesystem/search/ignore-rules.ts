import { readFileSync } from 'node:fs';
import { toPathMatcher, type PathMatcher } from './glob-pattern.ts';

/** Maximum size of a .gitignore. Larger ones are not read. */
const maxFileBytes = 256 * 1024;

interface Rule {
  readonly matches: PathMatcher;
  readonly foldersOnly: boolean;
  readonly ignores: boolean;
}

/** The .gitignore files that apply to a folder. The nearest one takes precedence, and within it the last matching line. */
export interface IgnoreRules {
  /** `path` with "/", relative to the root. */
  ignores(path: string, isFolder: boolean): boolean;
  /** The rules of the subfolder at `path`. Its own .gitignore takes precedence. */
  within(path: string, text: string | undefined): IgnoreRules;
}

const noRules: IgnoreRules = createRules([], '', undefined);

function createRules(rules: readonly Rule[], base: string, outer: IgnoreRules | undefined): IgnoreRules {
  const decide = (path: string, isFolder: boolean): boolean | undefined => {
    const inside = base === '' ? path : path.slice(base.length + 1);
    return rules.findLast((rule) => (isFolder || !rule.foldersOnly) && rule.matches(inside))?.ignores;
  };
  const self: IgnoreRules = {
    ignores: (path, isFolder) => decide(path, isFolder) ?? outer?.ignores(path, isFolder) ?? false,
    within: (path, text) => (text === undefined ? self : createRules(parse(text), path, self)),
  };
  return self;
}

function parse(text: string): Rule[] {
  return text.split(/\r?\n/).flatMap((line): Rule[] => {
    const written = line.replace(/(?<!\\)\s+$/, '');
    if (written === '' || written.startsWith('#')) return [];
    const ignores = !written.startsWith('!');
    const pattern = ignores ? written : written.slice(1);
    const foldersOnly = pattern.endsWith('/');
    const bare = foldersOnly ? pattern.slice(0, -1) : pattern;
    // A slash before the end anchors the pattern to this folder.
    const glob = bare.includes('/') ? bare.replace(/^\//, '') : `**/${bare}`;
    try {
      return [{ matches: toPathMatcher(glob), foldersOnly, ignores }];
    } catch {
      return [];
    }
  });
}

/**
 * The rules of the folders from `root` to the parent of `way`. If they exclude the folder that was explicitly named,
 * only its own rules apply.
 */
export function rulesAbove(root: string, way: string): IgnoreRules {
  const names = way === '' ? [] : way.split('/');
  let rules = noRules;
  for (const depth of names.keys()) {
    const above = names.slice(0, depth).join('/');
    rules = rules.within(above, readIgnoreFile(`${root}/${above}`));
    if (rules.ignores(names.slice(0, depth + 1).join('/'), true)) return noRules;
  }
  return rules;
}

/** The folder's .gitignore, if it has one. */
export function readIgnoreFile(folder: string): string | undefined {
  try {
    const text = readFileSync(`${folder}/.gitignore`, 'utf8');
    return text.length > maxFileBytes ? undefined : text;
  } catch {
    return undefined;
  }
}
