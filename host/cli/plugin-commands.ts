import type { User } from '../core/platform/places.ts';
import { PegboardError } from '../core/errors.ts';
import { pegboard } from '../core/own-command.ts';
import { loadConfigWithoutSecrets } from '../config.ts';
import { homeTrust } from '../home-trust.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { Host } from '../host.ts';
import { isOff } from '../plugins/absent-tools.ts';
import { discoverPlugins } from '../plugins/loading/discover.ts';
import type { PluginManifest } from '../plugins/loading/manifest.ts';
import { createTrust } from '../store/owner/trust.ts';
import { storedUserState } from '../compose/home-secrets.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { commandsOf } from './shipped-commands.ts';

/** Commands that the plugins of this home declare, read without running their code. Those of plugins that are off say so. */
export async function pluginCommands(home: string, user: User): Promise<readonly Command[]> {
  const { on, off } = await pluginsOf(home, user);
  return [
    ...on.flatMap(commandsOf),
    ...off.flatMap((one) => commandsOf(one).map((command) => refused(one, command))),
  ];
}

/** For an unknown home, only those that come with Pegboard. */
export async function listedPluginCommands(home: string, user: User): Promise<readonly Command[]> {
  const isKnown = homeTrust(home, user) === 'known';
  const { on } = await pluginsOf(home, user);
  return on.filter(({ builtin }) => builtin || isKnown).flatMap(commandsOf);
}

async function pluginsOf(
  home: string,
  user: User,
): Promise<{ readonly on: readonly PluginManifest[]; readonly off: readonly PluginManifest[] }> {
  const { config } = await loadConfigWithoutSecrets(home, user);
  const { manifests } = await discoverPlugins(home, config.plugins, createTrust(storedUserState(home, user)));
  const isOn = ({ id }: PluginManifest): boolean => config.plugins[id]?.enabled !== false;
  return { on: manifests.filter(isOn), off: manifests.filter((one) => !isOn(one)) };
}

/** The commands of the plugins that a running host has now. */
export const pluginCommandsOf = (host: Host): readonly Command[] => enabledIn(host).flatMap(commandsOf);

const enabledIn = ({ plugins }: Host): readonly PluginManifest[] =>
  plugins.states.filter(({ state }) => state !== 'disabled').map(({ manifest }) => manifest);

/** Commands of plugins that nobody can run, because Pegboard or another plugin has one of the same name. */
export function commandConflicts(host: Host): readonly Diagnostic[] {
  const holders = new Map(commands.map(({ name }) => [name, 'Pegboard itself']));
  const diagnostics: Diagnostic[] = [];
  for (const { id, path, commands: declared } of enabledIn(host)) {
    for (const name of Object.keys(declared)) {
      const holder = holders.get(name);
      if (holder === undefined) holders.set(name, `the plugin ${id} (${path})`);
      else
        diagnostics.push({
          severity: 'error',
          code: 'duplicate-command',
          message: `"${pegboard} ${name}" is the command of ${holder}; that of the plugin ${id} can't be run`,
          path,
          hint: 'give it another name',
        });
    }
  }
  return diagnostics;
}

/** The command of a plugin that is off, which says so. */
const refused = (manifest: PluginManifest, command: Command): Command => ({
  ...command,
  usage: '[WORD…]',
  hidden: true,
  load: () =>
    Promise.reject(
      new PegboardError('PEG_CONFIG', `"${pegboard} ${command.name}" can't run: ${isOff(manifest.id)}`),
    ),
});
