import { join } from 'node:path';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';
import type { TrustStore } from '../../store/owner/trust.ts';
import { hashOfPackages, lockFile, ownFilesIn, readLock, type PluginLock } from './lock.ts';

/** Of this many files that differ, the names are shown. */
const maxNamed = 3;

/**
 * Why a plugin from elsewhere is no longer what was added, as the error for whoever would run it. Undefined: it is, or it
 * is the owner's own.
 */
export function differenceFromLock(
  { id, folder }: { readonly id: string; readonly folder: string },
  trust: TrustStore,
): PegboardError | undefined {
  const lock = lockOrError(folder);
  if (lock === undefined || lock instanceof PegboardError) return lock;
  const now = ownFilesIn(folder);
  const names = [...new Set([...Object.keys(lock.files), ...Object.keys(now)])].sort();
  const changed = names.filter((name) => lock.files[name] !== now[name]);
  const all = hasOtherPackages(folder, lock, trust) ? [...changed, 'node_modules'] : changed;
  return all.length === 0 ? undefined : differs(id, folder, all);
}

/**
 * The same for its packages alone: its own files are as they were approved. `copy`: the folder of these, where the lock
 * file is, if it isn't the plugin's own.
 */
export function differenceInPackages(
  { id, folder }: { readonly id: string; readonly folder: string },
  trust: TrustStore,
  copy = folder,
): PegboardError | undefined {
  const lock = lockOrError(copy);
  if (lock === undefined || lock instanceof PegboardError) return lock;
  return hasOtherPackages(folder, lock, trust) ? differs(id, folder, ['node_modules']) : undefined;
}

function lockOrError(folder: string): PluginLock | PegboardError | undefined {
  try {
    return readLock(folder);
  } catch (cause) {
    return cause as PegboardError;
  }
}

const hasOtherPackages = (folder: string, { packages }: PluginLock, { codeFolder }: TrustStore): boolean =>
  hashOfPackages(folder, join(codeFolder, '.contents.json')) !== packages?.hash;

function differs(id: string, folder: string, names: readonly string[]): PegboardError {
  const more = names.length - maxNamed;
  const shown = [...names.slice(0, maxNamed).map(shownLine), ...(more > 0 ? [`${more} more`] : [])];
  return new PegboardError(
    'PEG_CONFIG',
    `it is not what was added: ${shown.join(', ')} in ${folder} ${names.length === 1 ? 'differs' : 'differ'} from its ${lockFile}. \`${pegboard} plugins update ${id}\` puts it back; without that file it counts as your own.`,
  );
}
