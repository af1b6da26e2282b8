import type { CommandHandler } from '../../command.ts';
import { findPlugin } from '../../home/find-plugin.ts';

/** Makes running hosts of this home reload the plugin; loading it here shows at once whether it works. */
export const run: CommandHandler = async (context) => {
  const host = await context.openHost({ mcp: 'off' });
  const { id } = findPlugin(host, context.words[0]!);
  await host.askForReload(id);
  const state = host.plugins.states.find(({ manifest }) => manifest.id === id)!;
  const { out, err } = context.terminal;
  if (state.state === 'running' && state.problem === undefined)
    return out.line(`${id} is reloaded in every running host of this home.`);
  err.line(state.problem ?? `${id} is ${state.state}.`);
  return 1;
};
