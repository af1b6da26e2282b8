import type { Run } from '../../command.ts';
import { findPlugin } from '../../find-plugin.ts';

/** Running hosts of this home hear of it; loading it here shows at once whether it works. */
export const run: Run = async (context) => {
  const host = await context.openHost({ mcp: 'off' });
  const { id } = findPlugin(host, context.words[0]!);
  await host.askForReload(id);
  const state = host.plugins.states.find(({ manifest }) => manifest.id === id)!;
  const { out, err } = context.terminal;
  if (state.state === 'running' && state.problem === undefined)
    return out.line(`${id} is loaded anew wherever this home runs.`);
  err.line(state.problem ?? `${id} is ${state.state}.`);
  return 1;
};
