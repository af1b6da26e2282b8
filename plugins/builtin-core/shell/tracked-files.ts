import { join } from 'node:path';
import type { AskGit } from '../ask-git.ts';

/** An entry of `git ls-files --stage` and of `git ls-tree`: a submodule has a mode of its own. */
const entry = /^(\d+) [^\t]*\t(.+)$/s;
const submodule = '160000';

/**
 * The absolute paths of the files that a folder's repository has in its index, its last commit or the one before, and of
 * those that it would take. Undefined where git can't say it, where there are more than `max`, and where a submodule has
 * others.
 */
export function trackedFiles(folder: string, max: number, askGit: AskGit): readonly string[] | undefined {
  const git = (...args: readonly string[]): string | undefined => askGit(folder, ...args);
  const top = git('rev-parse', '--show-toplevel')?.replace(/\n$/, '');
  if (!top) return undefined;
  const inIndex = git('ls-files', '--stage', '--full-name', '-z', ':/');
  if (inIndex === undefined) return undefined;
  const others = git('ls-files', '--others', '--exclude-standard', '--full-name', '-z', ':/');
  if (others === undefined) return undefined;
  // A repository may have no commit yet, or only one.
  const inCommits = ['HEAD', 'HEAD^'].map(
    (commit) => git('ls-tree', '-r', '--full-tree', '-z', commit) ?? '',
  );
  const found = new Set<string>();
  for (const text of [inIndex, ...inCommits].flatMap((list) => list.split('\0').slice(0, -1))) {
    const [, mode, path] = entry.exec(text) ?? [];
    if (path === undefined || mode === submodule || found.size === max) return undefined;
    found.add(join(top, path));
  }
  for (const path of others.split('\0').slice(0, -1)) {
    // It ends with a slash: another repository.
    if (path.endsWith('/') || found.size === max) return undefined;
    found.add(join(top, path));
  }
  return [...found];
}

/** Whether a path of a folder is certain never to have been a folder, in any commit that git still has. */
export const wasNeverFolder = (folder: string, path: string, askGit: AskGit): boolean =>
  askGit(folder, 'rev-list', '-n', '1', '--all', '--reflog', '--', `:(literal)${path}/`) === '';
