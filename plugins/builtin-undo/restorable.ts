import type { KnownFolders } from 'pegboard';
import { deniedPaths } from 'pegboard/files';
import { isWithin } from 'pegboard/kit';

/** The folders that file tools may write to, and those that they may not. */
export type RestorablePlaces = Pick<KnownFolders, 'home' | 'userState' | 'roots'>;

/** Whether changes of a path are recorded and undone: in the home or a listed folder, and not Pegboard's own. */
export function isRestorable(path: string, places: RestorablePlaces): boolean {
  const { home, roots } = places;
  return (
    [home, ...roots.map((root) => root.path)].some((folder) => isWithin(folder, path)) &&
    !deniedPaths(places).some((folder) => isWithin(folder, path))
  );
}
