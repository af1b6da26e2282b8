import { join, relative, sep } from 'node:path';
import type { KnownFolders } from '../../api/known-folders.ts';
import type { Scope } from '../../api/source.ts';
import { isGuardedName } from './guarded-names.ts';
import { isDocument } from './is-document.ts';
import { isWithin } from './paths.ts';

/**
 * How far whoever acts for a model may write to a path. `free`: without a question. `asked`: after a question, which can
 * be answered for a folder. `guarded`: it decides what runs, so each write is asked about. `denied`: never.
 */
export type WriteClass = 'free' | 'asked' | 'guarded' | 'denied';

export interface WriteJudgement {
  readonly class: WriteClass;
  /** For the question, or the refusal: "package.json decides what runs". Empty for `free`. */
  readonly reason: string;
}

/** Is it free to create, change, move or delete what lies at `path`? `path` is real, and need not exist. */
export function judgeWrite(path: string, places: KnownFolders): WriteJudgement {
  const denied = deniedPlaces(places).find((place) => touches(path, place));
  if (denied !== undefined) return { class: 'denied', reason: `${denied} belongs to Pegboard itself` };
  const named = places.named.find((place) => touches(path, place));
  if (named !== undefined) return guarded(`${named} is run or read by a tool, hook, server or schedule`);
  const workspace = innermost(path, places.workspaces);
  const steering = steeringPlaces(places).find((place) => touches(path, place));
  if (workspace === undefined && steering !== undefined && !isForeignWorkspace(path, places))
    return guarded(`what lies in ${steering} decides what runs`);
  const loaded = places.dependencyFolders.find((folder) => isBeside(path, folder, places));
  if (loaded !== undefined) return guarded(`what runs in ${loaded} may load it`);
  if (workspace !== undefined) return inFolder(path, workspace, 'free');
  const root = innermost(path, [places.home, ...places.roots.map((listed) => listed.path)]);
  if (root === undefined) return guarded(`${path} lies outside of the home and the listed folders`);
  const isFree = places.roots.some((listed) => listed.path === root && listed.write === 'free');
  return inFolder(path, root, isFree ? 'free' : 'asked');
}

export function classify(path: string, places: KnownFolders): WriteClass {
  return judgeWrite(path, places).class;
}

/** What nobody who acts for a model ever writes to. */
export const deniedPlaces = ({
  home,
  userState,
}: Pick<KnownFolders, 'home' | 'userState'>): readonly string[] => [join(home, 'data'), userState];

/** What decides what runs by where it lies. */
export const steeringPlaces = ({
  home,
  installation,
}: Pick<KnownFolders, 'home' | 'installation'>): readonly string[] => [
  join(home, 'spaces'),
  join(home, 'plugins'),
  join(home, 'pegboard.yaml'),
  installation,
];

/** Names count from the listed folder on: whoever lists one has seen the names above. */
function inFolder(path: string, folder: string, otherwise: 'free' | 'asked'): WriteJudgement {
  // To move the folder itself away would make room for a link.
  if (path === folder) return guarded(`${path} is the folder itself`);
  const name = relative(folder, path).split(sep).find(isGuardedName);
  if (name !== undefined) return guarded(`${name} decides what runs, or may`);
  return { class: otherwise, reason: otherwise === 'free' ? '' : `${path} is not in a workspace` };
}

/** Whose agents don't act just now. */
function isForeignWorkspace(path: string, { home }: KnownFolders): boolean {
  const [spaces, space, workspace, ...inside] = relative(home, path).split(sep);
  return spaces === 'spaces' && space !== undefined && workspace === 'workspace' && inside.length > 0;
}

/** What lies in a workspace or a listed folder within `folder` is out of the way of what runs there. */
function isBeside(path: string, folder: string, { home, workspaces, roots }: KnownFolders): boolean {
  if (!isWithin(folder, path) || isDocument(path)) return false;
  const inner = [home, ...workspaces, ...roots.map((root) => root.path)].filter(
    (area) => area !== folder && isWithin(folder, area),
  );
  return !inner.some((area) => isWithin(area, path));
}

/** To replace a folder replaces what lies in it. */
const touches = (path: string, place: string): boolean => isWithin(place, path) || isWithin(path, place);

const innermost = (path: string, folders: readonly string[]): string | undefined =>
  folders
    .filter((folder) => isWithin(folder, path))
    .reduce<string | undefined>(
      (inner, folder) => (inner === undefined || folder.length > inner.length ? folder : inner),
      undefined,
    );

const guarded = (reason: string): WriteJudgement => ({ class: 'guarded', reason });

/** Does whoever calls do so for a model? A person's own calls, and those of a program that embeds a host, do not. */
export const actsForModel = ({
  scope,
  turn,
}: {
  readonly scope: Pick<Scope, 'identity'>;
  readonly turn?: unknown;
}): boolean => scope.identity === 'agent' || turn !== undefined;
