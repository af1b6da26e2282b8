import { PegboardError } from '../../../core/errors.ts';
import type { Host } from '../../../host.ts';
import { resemblance } from '../../../tools/look-alikes.ts';
import type { Context } from '../command.ts';
import { getServer } from '../find-server.ts';
import { showDiagnostics } from '../terminal/diagnostics.ts';
import { oneLine } from '../terminal/safe.ts';
import { connectServers } from '../wait-for-servers.ts';
import { confirm } from './confirm.ts';

/**
 * Shows what is new or changed at an MCP server and asks; without any names, all of it. Nothing to approve is not an
 * error.
 */
export async function approveServer(
  host: Host,
  name: string,
  wanted: readonly string[],
  context: Context,
): Promise<void> {
  const { terminal, home } = context;
  const server = getServer(host, name);
  await connectServers(host, context);
  const held = server.status().quarantined;
  const chosen = wanted.length === 0 ? held : held.filter((tool) => wanted.includes(tool));
  const unknown = wanted.find((tool) => !held.includes(tool));
  if (unknown !== undefined) {
    throw new PegboardError(
      'PEG_USAGE',
      `Nothing of ${name} called "${unknown}" waits for approval.${held.length > 0 ? ` There is: ${held.join(', ')}.` : ''}`,
    );
  }
  if (chosen.length === 0) return terminal.out.line(`Nothing of ${name} waits for approval.`);
  const { diagnostics = [] } = await server.list();
  showDiagnostics(
    terminal.err,
    diagnostics.filter(({ hint }) => hint?.startsWith('pegboard mcp approve')),
    home,
  );
  for (const tool of chosen) {
    const resembling = resemblance(tool, name, host.registry.snapshot);
    if (resembling !== undefined)
      terminal.err.line(terminal.err.style.warning(`Careful: ${name}.${oneLine(tool)}: ${resembling}.`));
  }
  await confirm({ message: `Approve ${chosen.map(oneLine).join(', ')} as shown?` }, context);
  for (const tool of chosen) await server.approve(tool);
  terminal.out.line(`Approved: ${chosen.map(oneLine).join(', ')}.`);
}
