import type { CommandCall } from '../api/plugin.ts';
import { PegboardError } from '../core/errors.ts';
import type { Host } from '../host.ts';
import { readCommand } from '../plugins/commands/run-command.ts';

/** Runs a plugin's command with --json for another command, and returns what it printed. */
export async function runPluginCommand(
  { plugins }: Host,
  name: string,
  call: Pick<CommandCall, 'signal'> & Partial<Pick<CommandCall, 'words' | 'options' | 'agent'>>,
): Promise<unknown> {
  const plugin = plugins.instances.find(({ commands: own }) => Object.hasOwn(own, name));
  if (!plugin)
    throw new PegboardError('PEG_CONFIG', `The plugin with the command "${name}" doesn't run here.`);
  return (await readCommand(plugins, plugin.manifest.id, name, call)).json;
}
