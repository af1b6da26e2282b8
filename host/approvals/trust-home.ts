import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isFolder } from '../core/files/paths.ts';
import { isProjectHome } from '../core/files/project.ts';
import { createSpacePins } from '../spaces/pinned/space-pins.ts';
import { isKnownHome, rememberHome } from '../store/owner/known-homes.ts';
import { createSpacePinStore } from '../store/owner/space-pins.ts';
import { openUserState } from '../store/owner/user-state.ts';

/**
 * From now on the home is known. The first time, the spaces of a project's home are approved with it, as they are now; what
 * changes in them later waits for its own approval.
 */
export async function trustHome(home: string): Promise<void> {
  const isFirst = !isKnownHome(home);
  await rememberHome(home);
  if (isFirst && isProjectHome(home)) await approveSpaces(home);
}

async function approveSpaces(home: string): Promise<void> {
  const { approved, spacePins } = openUserState(home);
  const pins = createSpacePins(createSpacePinStore(approved, spacePins), () => false);
  const spaces = join(home, 'spaces');
  const names = isFolder(spaces) ? readdirSync(spaces) : [];
  for (const folder of names.map((name) => join(spaces, name)).filter(isFolder)) {
    const review = pins.review(folder);
    if (review) await pins.approve(folder, review);
  }
}
