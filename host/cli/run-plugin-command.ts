import type { CommandCall } from '../api/plugin.ts';
import { PegboardError } from '../core/errors.ts';
import type { Host } from '../host.ts';

/** Runs a plugin's command with --json for another command, and returns what it printed. */
export async function runPluginCommand(
  { plugins }: Host,
  name: string,
  {
    signal,
    words = [],
    options = {},
    agent,
  }: Pick<CommandCall, 'signal'> & Partial<Pick<CommandCall, 'words' | 'options' | 'agent'>>,
): Promise<unknown> {
  const run = plugins.instances.find(({ commands: own }) => Object.hasOwn(own, name))?.commands[name];
  if (!run) throw new PegboardError('PEG_CONFIG', `The plugin with the command "${name}" doesn't run here.`);
  let printed: unknown;
  await run({
    words,
    options: { ...options, json: true },
    out: () => {},
    json: (value) => {
      printed = value;
    },
    progress: () => {},
    signal,
    ...(agent !== undefined && { agent }),
  });
  return printed;
}
