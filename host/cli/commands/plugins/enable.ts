import type { CommandHandler } from '../../command.ts';
import { writeConfigValue } from '../../../write-config.ts';
import { findPlugin } from '../../home/find-plugin.ts';

/** `plugins enable` and `plugins disable`. No plugin runs: one that can't even be loaded can be disabled. */
export const run: CommandHandler = async (context) => {
  const host = await context.openHost({ mcp: 'off', setUp: 'none' });
  const { id } = findPlugin(host, context.words[0]!);
  const enabled = context.command.name === 'plugins enable';
  await writeConfigValue(context.home, context.surroundings, ['plugins', id, 'enabled'], enabled);
  await host.reloadConfig();
  context.terminal.out.line(`${id} is ${enabled ? 'enabled' : 'disabled'}.`);
};
