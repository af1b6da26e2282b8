import { lstatSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { PegboardError, type Surroundings } from 'pegboard';
import { createAskGit } from '../../ask-git.ts';

/** Maximum bytes of a file of patterns. Larger ones are not read. */
const maxFileBytes = 256 * 1024;

/**
 * What applies to a folder: its .gitignore, those above, .git/info/exclude, and what the user ignores in every repository.
 * The nearest one takes precedence, and within it the last matching line.
 */
export interface IgnoreRules {
  /** `path` with "/", relative to the root. */
  ignores(path: string, isFolder: boolean): boolean;
  /** The rules of the subfolder at `path`, which `folder` opens. Its own files take precedence. Throws PEG_TOOL_FAILED. */
  within(path: string, folder: string): IgnoreRules;
}

/** `everywhere`: the user's patterns, for the folder of a repository. */
function createRules(
  patterns: Ignore | undefined,
  everywhere: (repository: string) => string | undefined,
): IgnoreRules {
  const self: IgnoreRules = {
    ignores: (path, isFolder) => patterns?.ignores(toBytes(isFolder ? `${path}/` : path)) ?? false,
    within(path, folder) {
      const isRepository = lstatSync(`${folder}/.git`, { throwIfNoEntry: false }) !== undefined;
      const own = [
        ...(isRepository ? patternsAt(path, everywhere(folder), 'core.excludesFile') : []),
        ...(isRepository ? patternsAt(path, readExclude(folder), '.git/info/exclude') : []),
        ...patternsAt(path, readPatterns(`${folder}/.gitignore`, lstatSync), '.gitignore'),
      ];
      if (own.length === 0) return self;
      const all = ignore({ ignorecase: false, allowRelativePaths: true });
      return createRules((patterns ? all.add(patterns) : all).add(own), everywhere);
    },
  };
  return self;
}

/** More `**` in one pattern take minutes for a deep path, and nobody writes them. */
const maxAnyFolders = 4;

/** The line with one `**` for several in a row, which mean the same. */
function checkLine(line: string, file: string): string {
  const short = line.replaceAll(/(?<=^!?|\/)(?:\*{2,}\/)+/g, '**/');
  if ((short.match(/\*{2,}/g)?.length ?? 0) <= maxAnyFolders) return short;
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `${file} has the pattern "${line.slice(0, 100)}", and more than ${maxAnyFolders} "**" can't be matched in reasonable time. Write it with fewer.`,
  );
}

/** A character for each byte: for git, `?` and a set match a byte. */
const toBytes = (text: string): string => Buffer.from(text).toString('latin1');

const toText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

/** The patterns of a file for the folder at `base`, as they would be written at the root. */
function patternsAt(base: string, text: string | undefined, file: string): readonly string[] {
  if (text === undefined) return [];
  const lines = text
    .replace(toBytes('\uFEFF'), '')
    .split(/\r?\n/)
    .map((line) => (line.startsWith('#') ? line : checkLine(line, join(base, file))));
  if (base === '') return lines;
  const folder = toBytes(base).replaceAll(/[\\*?[ ]/g, '\\$&');
  return lines.flatMap((line) => {
    const [, not = '', slash = '', pattern = ''] = /^(!?)(\/?)(.*?)(?<!\\) *$/s.exec(line) ?? [];
    if (line.startsWith('#') || pattern === '') return [];
    // A slash before the end anchors the pattern to this folder.
    const isAnchored = slash !== '' || /\/./s.test(pattern);
    return [`${not}/${folder}/${isAnchored ? '' : '**/'}${pattern}`];
  });
}

/**
 * The rules of the folders from `root` to the parent of `way`. If they exclude the folder that was explicitly named,
 * only its own rules apply.
 */
export function rulesAbove(root: string, way: string, env: Surroundings['env']): IgnoreRules {
  let known: { readonly text: string | undefined } | undefined;
  // Of the first repository: to ask git for each of a thousand would take long.
  const everywhere = (folder: string): string | undefined =>
    (known ??= { text: readEverywhere(folder, env) }).text;
  const noRules = createRules(undefined, everywhere);
  const names = way === '' ? [] : way.split('/');
  let rules = noRules;
  for (const depth of names.keys()) {
    const above = names.slice(0, depth).join('/');
    rules = rules.within(above, `${root}/${above}`);
    if (rules.ignores(names.slice(0, depth + 1).join('/'), true)) return noRules;
  }
  return rules;
}

/** What the user ignores in every repository. Git knows which of its settings hold. */
function readEverywhere(folder: string, env: Surroundings['env']): string | undefined {
  const named = createAskGit(env)(folder, 'config', '--type=path', '--get', 'core.excludesFile')?.trim();
  const settings = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? '', '.config');
  return readPatterns(inFolder(folder, named || join(settings, 'git/ignore')), statSync);
}

/** Of a repository. In a worktree and a submodule, .git is a file that names the folder. */
function readExclude(folder: string): string | undefined {
  const own = `${folder}/.git`;
  const file = readPatterns(own, lstatSync);
  if (file === undefined) return readPatterns(`${own}/info/exclude`, statSync);
  const git = inFolder(folder, toText(/^gitdir: (.*)/.exec(file)?.[1] ?? ''));
  const common = inFolder(git, toText(readPatterns(`${git}/commondir`, statSync)?.trim() ?? ''));
  return readPatterns(`${common}/info/exclude`, statSync);
}

/** `folder` may be a descriptor, of which only the system knows what is above it. */
function inFolder(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

/** As git does, a .gitignore that is a link is not read. */
function readPatterns(path: string, stat: typeof lstatSync | typeof statSync): string | undefined {
  const found = stat(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > maxFileBytes) return undefined;
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
