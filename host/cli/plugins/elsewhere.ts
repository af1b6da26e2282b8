import { basename, join } from 'node:path';
import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';
import type { Host } from '../../host.ts';
import { checkNames } from '../../plugins/elsewhere/check-package.ts';
import { readLock, type PluginLock } from '../../plugins/elsewhere/lock.ts';
import { sourceText, type PluginSource } from '../../plugins/elsewhere/source.ts';
import { stagePlugin, type StagedPlugin } from '../../plugins/elsewhere/stage.ts';
import { approveCode } from '../../plugins/loading/approved-code.ts';
import { readManifest } from '../../plugins/loading/discover.ts';
import type { PluginManifest } from '../../plugins/loading/manifest.ts';
import type { PluginState } from '../../plugins/plugin-state.ts';
import { version } from '../../version.ts';
import type { Context } from '../command.ts';
import { commands } from '../commands.ts';
import { findPlugin } from '../home/find-plugin.ts';
import { openSpinner } from '../terminal/progress.ts';

/** Fetches and checks a plugin while a spinner turns. */
export async function stage(
  source: PluginSource,
  { home, terminal, surroundings, signal }: Context,
): Promise<StagedPlugin> {
  using _ = openSpinner(terminal, `Getting ${sourceText(source)}`);
  return await stagePlugin(source, { home, version, env: surroundings.env, signal });
}

/** Throws PEG_DENIED when another plugin of the home, or Pegboard itself, has one of its names. */
export function checkFree({ manifest, lock }: StagedPlugin, host: Host): void {
  const plugins = host.plugins.states
    .filter(({ manifest: { id, folder } }) => !(id === manifest.id && isFromElsewhere(folder)))
    .map(({ manifest: other, state }) =>
      state === 'disabled' ? { ...other, packs: {}, commands: {} } : other,
    );
  const ownCommands = commands.map(({ name }) => name);
  checkNames(manifest, { plugins, ownCommands }, lock.resolved);
}

/** Also where its lock file can't be read. */
export function isFromElsewhere(folder: string): boolean {
  try {
    return readLock(folder) !== undefined;
  } catch {
    return true;
  }
}

/** Trusts the plugin that is in its place now. Throws PEG_DENIED when its files are not those with this hash. */
export async function approvePlaced(host: Host, hash: string, id: string): Promise<void> {
  const folder = join(host.home, 'plugins', id);
  const { manifest } = await readManifest(folder, [host.home, folder]);
  if (manifest) await approveCode(host.trust, manifest, hash);
}

export const stateOf = (host: Host, id: string): PluginState | undefined =>
  host.plugins.states.find(({ manifest }) => manifest.id === id);

export const isRunning = (state: PluginState | undefined): boolean =>
  state?.state === 'running' && state.problem === undefined;

/** A plugin that was added from elsewhere. */
export interface AddedPlugin {
  readonly manifest: PluginManifest;
  readonly lock: PluginLock;
}

/** Throws PEG_USAGE for one that is the owner's own or comes with Pegboard, and PEG_CONFIG for a broken lock file. */
export function findAdded(host: Host, name: string): AddedPlugin {
  const manifest = findPlugin(host, name);
  const lock = manifest.builtin ? undefined : readLock(manifest.folder);
  if (lock && basename(manifest.folder) === manifest.id) return { manifest, lock };
  throw new PegboardError(
    'PEG_USAGE',
    manifest.builtin
      ? `${manifest.id} comes with Pegboard. \`${pegboard} plugins disable ${manifest.id}\` turns it off.`
      : `${manifest.id} was not added from elsewhere: ${manifest.folder} is your own.`,
  );
}
