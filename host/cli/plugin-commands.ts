import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { User } from '../core/platform/places.ts';
import { PegboardError } from '../core/errors.ts';
import { configFile, localConfigFile } from '../core/files/config-files.ts';
import { packageRoot } from '../core/files/paths.ts';
import { pegboard } from '../core/own-command.ts';
import { loadConfigWithoutSecrets } from '../config.ts';
import { homeTrust } from '../home-trust.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { Host } from '../host.ts';
import { importModule } from '../plugins/loading/import.ts';
import { isOff } from '../plugins/absent-tools.ts';
import { discoverPlugins, shippedPlugins } from '../plugins/loading/discover.ts';
import type { CommandDeclaration } from '../formats/plugin.ts';
import type { PluginManifest } from '../plugins/loading/manifest.ts';
import { createTrust } from '../store/owner/trust.ts';
import { storedUserState } from '../compose/home-secrets.ts';
import { groups, type Command, type CommandHandler, type Group } from './command.ts';
import { commands } from './commands.ts';
import { json } from './options.ts';

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

/**
 * Those of the plugins that ship and are surely on: no setting of the home names their plugin, and it has no plugins of its
 * own, whose commands may have longer names. Reads far less than `pluginCommands`.
 */
export async function shippedCommands(home: string): Promise<readonly Command[]> {
  const settings = [configFile, localConfigFile].map((name) => textOf(join(home, name))).join('\n');
  const hasOwn = home !== packageRoot && existsSync(join(home, 'plugins'));
  if (hasOwn || settings.includes('package')) return [];
  return (await shippedPlugins()).filter(({ id }) => !settings.includes(id)).flatMap(commandsOf);
}

/** Empty where there is no such file, or none that can be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
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

function commandsOf(manifest: PluginManifest): readonly Command[] {
  return Object.entries(manifest.commands).map(([name, declared]) => toCommand(manifest, name, declared));
}

const ofPlugins: Group = 'From plugins';

function toCommand(manifest: PluginManifest, name: string, declared: CommandDeclaration): Command {
  const { id, builtin } = manifest;
  const { summary, details, usage = '', options = {}, group, examples, handler } = declared;
  const { home, takesProgram, untilStopped, before } = declared;
  return {
    name,
    group: builtin ? (groups.find((one) => one === group) ?? ofPlugins) : ofPlugins,
    summary,
    ...(details !== undefined && { details }),
    usage,
    options: [
      ...Object.entries(options).map(([option, about]) => ({ name: option, ...about })),
      ...(handler === undefined ? [json] : []),
    ],
    examples: (examples ?? [[name, usage].join(' ').trim()]).map((one) => `${pegboard} ${one}`),
    ...(builtin && before !== undefined && { before }),
    ...(builtin && handler !== undefined
      ? {
          ...(home !== undefined && { home }),
          ...(takesProgram !== undefined && { takesProgram }),
          ...(untilStopped !== undefined && { untilStopped }),
          load: () => importHandler(manifest, handler),
        }
      : {
          load: async () => {
            const { runner } = await import('./plugin-command-runner.ts');
            return { run: runner(id, name) };
          },
        }),
  };
}

/** The module of a command that opens a host itself, if it needs one. */
async function importHandler(
  manifest: PluginManifest,
  handler: string,
): Promise<{ readonly run: CommandHandler }> {
  return (await importModule(manifest, handler)) as { readonly run: CommandHandler };
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
