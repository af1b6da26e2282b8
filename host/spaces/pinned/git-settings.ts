import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What in a .git folder makes git run programs: settings, hooks and attributes, those of submodules and worktrees too. No
 * pull changes them. By their names in the folder, with their paths.
 */
export function* gitSettings(path: string): Iterable<readonly [name: string, path: string]> {
  for (const name of ['config', 'config.worktree', 'info/attributes'])
    if (statSync(join(path, name), { throwIfNoEntry: false })?.isFile()) yield [name, join(path, name)];
  for (const { name, parentPath } of filesIn(join(path, 'hooks')))
    if (!name.endsWith('.sample')) yield [`hooks/${name}`, join(parentPath, name)];
  for (const inner of ['modules', 'worktrees'])
    for (const module of foldersIn(join(path, inner)))
      for (const [name, file] of settingsOfModule(join(path, inner, module)))
        yield [`${inner}/${module}/${name}`, file];
}

/** A submodule's name may contain slashes and thus span folders. */
function* settingsOfModule(path: string): Iterable<readonly [name: string, path: string]> {
  yield* gitSettings(path);
  if (statSync(join(path, 'HEAD'), { throwIfNoEntry: false })) return;
  for (const name of foldersIn(path).filter((folder) => !['modules', 'worktrees', 'hooks'].includes(folder)))
    for (const [setting, file] of settingsOfModule(join(path, name))) yield [`${name}/${setting}`, file];
}

const filesIn = (path: string) => entriesIn(path).filter((entry) => !entry.isDirectory());
const foldersIn = (path: string): readonly string[] =>
  entriesIn(path).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

function entriesIn(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return [];
    throw cause;
  }
}
