import type { Run } from '../../command.ts';
import { findPlugin } from '../../find-plugin.ts';

export const run: Run = async (context) => {
  const host = await context.openHost({ mcp: 'off' });
  const { id, builtin } = findPlugin(host, context.words[0]!);
  const { out } = context.terminal;
  if (builtin)
    return out.line(
      `${id} comes with Pegboard. To keep it from being loaded: pegboard plugins disable ${id}`,
    );
  const there = await host.trust.revoke(id);
  out.line(there ? `${id} is no longer trusted; its code does not run.` : `${id} was not trusted.`);
};
