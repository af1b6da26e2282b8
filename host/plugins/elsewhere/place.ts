import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { PegboardError } from '../../core/errors.ts';
import { draftName, removeAbandonedDrafts } from '../../core/files/draft.ts';
import { replaceByRename } from '../../core/platform/renames.ts';
import { withFileLock } from '../../store/files/file-lock.ts';
import { replacedFolder } from '../loading/discover.ts';

/** An update of a plugin that is in service. Exactly one of `keep` and `goBack` ends it. */
export interface Replacement {
  /** Removes the version before. */
  keep(): Promise<void>;
  /** Puts the version before back in its place. */
  goBack(): Promise<void>;
}

const inPlugins = (home: string, ...names: readonly string[]): string => join(home, 'plugins', ...names);

/**
 * Commands that put plugins in their place run one after the other, each from what the last one has finished: when that
 * was killed, first the version before is put back where none is, and what it had not finished is removed.
 */
const inTurn = <T>(home: string, work: () => Promise<T>): Promise<T> =>
  withFileLock(join(home, 'data', 'plugins'), async () => {
    await finishInterrupted(home);
    return await work();
  });

async function finishInterrupted(home: string): Promise<void> {
  for (const id of namesIn(inPlugins(home, replacedFolder)))
    if (!existsSync(inPlugins(home, id)))
      await rename(inPlugins(home, replacedFolder, id), inPlugins(home, id));
  removeAbandonedDrafts(inPlugins(home));
  removeIfEmpty(inPlugins(home, replacedFolder));
}

/** Puts a staged folder in the place of a plugin that is not there. Throws PEG_DENIED when one is there. */
export const placeNew = (home: string, id: string, staged: string): Promise<void> =>
  inTurn(home, async () => {
    if (existsSync(inPlugins(home, id)))
      throw new PegboardError('PEG_DENIED', `There is ${inPlugins(home, id)} already. Nothing was changed.`);
    await replaceByRename(staged, inPlugins(home, id));
  });

/** Puts a staged folder in the place of the plugin. Killed in between, the version before is still found. */
export async function placeInstead(home: string, id: string, staged: string): Promise<Replacement> {
  const [own, aside] = [inPlugins(home, id), inPlugins(home, replacedFolder, id)];
  await inTurn(home, async () => {
    remove(aside);
    mkdirSync(inPlugins(home, replacedFolder), { recursive: true });
    await replaceByRename(own, aside);
    await replaceByRename(staged, own);
  });
  const removeAside = (): void => {
    remove(aside);
    removeIfEmpty(inPlugins(home, replacedFolder));
  };
  return {
    keep: () => inTurn(home, async () => removeAside()),
    goBack: () =>
      inTurn(home, async () => {
        const failed = await takeAway(home, id);
        await replaceByRename(aside, own);
        remove(failed);
        removeAside();
      }),
  };
}

/** Removes the plugin's folder in one step. */
export const removePlaced = (home: string, id: string): Promise<void> =>
  inTurn(home, async () => {
    remove(inPlugins(home, replacedFolder, id));
    remove(await takeAway(home, id));
  });

/** Moves a plugin into a draft, one folder deeper than plugins are looked for, so that it is gone in one step. */
async function takeAway(home: string, id: string): Promise<string> {
  const draft = inPlugins(home, draftName());
  mkdirSync(draft);
  await replaceByRename(inPlugins(home, id), join(draft, id));
  return draft;
}

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

function removeIfEmpty(folder: string): void {
  if (namesIn(folder).length === 0) remove(folder);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
