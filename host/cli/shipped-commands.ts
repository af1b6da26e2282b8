import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configFile, localConfigFile } from '../core/files/config-files.ts';
import { pegboard } from '../core/own-command.ts';
import type { CommandDeclaration } from '../formats/plugin.ts';
import { shippedPlugins, type CommandPlugin } from '../plugins/loading/shipped.ts';
import { groups, type Command, type CommandHandler, type Group } from './command.ts';
import { json } from './options.ts';

/**
 * Those of the plugins that ship and are surely on: no setting of the home names their plugin, and it has no plugins of its
 * own, whose commands may have longer names. Reads far less than `pluginCommands`.
 */
export function shippedCommands(home: string): readonly Command[] {
  const settings = [configFile, localConfigFile].map((name) => textOf(join(home, name))).join('\n');
  if (settings.includes('package') || hasOwnPlugins(home)) return [];
  return shippedPlugins()
    .filter(({ id }) => !settings.includes(id))
    .flatMap(commandsOf);
}

/** A clone that is the home has those that ship there too. */
function hasOwnPlugins(home: string): boolean {
  const folder = join(home, 'plugins');
  try {
    return readdirSync(folder).some((name) => !name.startsWith('builtin-'));
  } catch {
    return existsSync(folder);
  }
}

/** Empty where there is no such file, or none that can be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The commands that a plugin declares. */
export function commandsOf(manifest: CommandPlugin): readonly Command[] {
  return Object.entries(manifest.commands).map(([name, declared]) => toCommand(manifest, name, declared));
}

const ofPlugins: Group = 'From plugins';

function toCommand(manifest: CommandPlugin, name: string, declared: CommandDeclaration): Command {
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
  manifest: CommandPlugin,
  handler: string,
): Promise<{ readonly run: CommandHandler }> {
  const { importModule } = await import('../plugins/loading/import.ts');
  return (await importModule(manifest, handler)) as { readonly run: CommandHandler };
}
