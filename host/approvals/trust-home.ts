import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { userStateFolder, type User } from '../core/platform/places.ts';
import { isFolder } from '../core/files/paths.ts';
import { isProjectHome } from '../core/files/project.ts';
import { createSpacePins } from '../spaces/pinned/space-pins.ts';
import { isKnownHome, rememberHome, watchedFiles } from '../store/owner/known-homes.ts';
import { createSpacePinStore } from '../store/owner/space-pins.ts';
import { openUserState } from '../store/owner/user-state.ts';

/**
 * Takes down what a home is now, before it is shown; the returned function makes the home known as it was then. The first
 * time, the spaces of a project's home are approved with it. What changes later waits for its own approval.
 */
export function reviewHome(home: string, user: User): () => Promise<void> {
  const files = watchedFiles(home, user);
  const spaces = isProjectHome(home, user) && !isKnownHome(home, user) ? reviewSpaces(home, user) : [];
  return async () => {
    await rememberHome(home, user, { ...(files && { files }) });
    for (const approve of spaces) await approve();
  };
}

function reviewSpaces(home: string, user: User): readonly (() => Promise<void>)[] {
  const { approved, spacePins } = openUserState(home, userStateFolder(user));
  const pins = createSpacePins(createSpacePinStore(approved, spacePins), () => false);
  const spaces = join(home, 'spaces');
  const names = isFolder(spaces) ? readdirSync(spaces) : [];
  return names
    .map((name) => join(spaces, name))
    .filter(isFolder)
    .flatMap((folder) => {
      const review = pins.review(folder);
      return review ? [() => pins.approve(folder, review)] : [];
    });
}
