import { join, relative, sep } from 'node:path';
import type { KnownFolders } from '../../api/known-folders.ts';
import type { Scope } from '../../api/source.ts';
import { configFiles } from './config-files.ts';
import { isGuardedName } from './guarded-names.ts';
import { isDocument } from './is-document.ts';
import { isWithin } from './paths.ts';

/**
 * How far an actor on behalf of a model may write to a path. `free`: without confirmation. `asked`: after a
 * confirmation that can cover a folder. `guarded`: it affects what runs, so each write needs confirmation. `denied`:
 * never.
 */
export type WriteClass = 'free' | 'asked' | 'guarded' | 'denied';

export interface WriteJudgement {
  readonly class: WriteClass;
  /** For the question or the error: "package.json decides, or may decide, what runs". Empty for `free`. */
  readonly reason: string;
}

/** Whether the file at `path` may be created, changed, moved or deleted. `path` is real, and need not exist. */
export function judgeWrite(path: string, folders: KnownFolders): WriteJudgement {
  const denied = deniedPaths(folders).find((place) => touches(path, place));
  if (denied !== undefined) return { class: 'denied', reason: `${denied} belongs to Pegboard itself` };
  const named = folders.named.find((place) => touches(path, place));
  if (named !== undefined) return guarded(`${named} is run or read by a tool, hook, server or schedule`);
  const workspace = innermost(path, folders.workspaces);
  const steering = codePaths(folders).find((place) => touches(path, place));
  if (workspace === undefined && steering !== undefined && !isForeignWorkspace(path, folders))
    return guarded(`${steering} decides what runs`);
  const loaded = folders.dependencyFolders.find((folder) => isBeside(path, folder, folders));
  if (loaded !== undefined) return guarded(`${path} may be loaded by programs that run in ${loaded}`);
  if (workspace !== undefined) return inFolder(path, workspace, 'free');
  const root = innermost(path, [folders.home, ...folders.roots.map((listed) => listed.path)]);
  if (root === undefined) return guarded(`${path} lies outside of the home and the listed folders`);
  const isFree = folders.roots.some((listed) => listed.path === root && listed.write === 'free');
  return inFolder(path, root, isFree ? 'free' : 'asked');
}

export function classify(path: string, folders: KnownFolders): WriteClass {
  return judgeWrite(path, folders).class;
}

/** Paths that can never be written on behalf of a model. */
export const deniedPaths = ({
  home,
  userState,
}: Pick<KnownFolders, 'home' | 'userState'>): readonly string[] => [join(home, 'data'), userState];

/** Paths whose contents decide what runs. */
export const codePaths = ({
  home,
  installation,
}: Pick<KnownFolders, 'home' | 'installation'>): readonly string[] => [
  join(home, 'spaces'),
  join(home, 'plugins'),
  ...configFiles.map((name) => join(home, name)),
  installation,
];

/** Guarded names are checked below the listed folder only: the owner who listed it has seen the names above. */
function inFolder(path: string, folder: string, otherwise: 'free' | 'asked'): WriteJudgement {
  // Moving the folder itself away would make room for a link.
  if (path === folder) return guarded(`${path} is the folder itself`);
  const name = relative(folder, path).split(sep).find(isGuardedName);
  if (name !== undefined) return guarded(`${name} decides, or may decide, what runs`);
  return { class: otherwise, reason: otherwise === 'free' ? '' : `${path} is not in a workspace` };
}

/** A workspace of agents that are not acting now. */
function isForeignWorkspace(path: string, { home }: KnownFolders): boolean {
  const [spaces, space, workspace, ...inside] = relative(home, path).split(sep);
  return spaces === 'spaces' && space !== undefined && workspace === 'workspace' && inside.length > 0;
}

/** Files in a workspace or listed folder within `folder` don't affect what runs there. */
function isBeside(path: string, folder: string, { home, workspaces, roots }: KnownFolders): boolean {
  if (!isWithin(folder, path) || isDocument(path)) return false;
  const inner = [home, ...workspaces, ...roots.map((root) => root.path)].filter(
    (area) => area !== folder && isWithin(folder, area),
  );
  return !inner.some((area) => isWithin(area, path));
}

/** Replacing a folder replaces its contents. */
const touches = (path: string, place: string): boolean => isWithin(place, path) || isWithin(path, place);

const innermost = (path: string, folders: readonly string[]): string | undefined =>
  folders
    .filter((folder) => isWithin(folder, path))
    .reduce<string | undefined>(
      (inner, folder) => (inner === undefined || folder.length > inner.length ? folder : inner),
      undefined,
    );

const guarded = (reason: string): WriteJudgement => ({ class: 'guarded', reason });

/** The key of an allowance to write in a folder. */
export const folderWriteKey = (folder: string): string => `write in ${folder}`;

/** Whether the caller acts on behalf of a model. A person's own calls, and those of an embedding program, don't. */
export const actsForModel = ({
  scope,
  turn,
}: {
  readonly scope: Pick<Scope, 'identity'>;
  readonly turn?: unknown;
}): boolean => scope.identity === 'agent' || turn !== undefined;
