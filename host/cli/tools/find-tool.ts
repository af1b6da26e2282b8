import { pegboard } from '../../core/own-command.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { PegboardError } from '../../core/errors.ts';
import type { Host } from '../../host.ts';
import { isVisible } from '../../tools/access.ts';
import { whyMissing } from '../../tools/look-up.ts';
import type { Context } from '../command.ts';
import { scopeOf } from '../scope.ts';
import { listServers } from '../servers/wait-for-servers.ts';

/** The tool by any of its names. A server that was never connected may have it, so they are asked before giving up. */
export async function findTool(
  host: Host,
  name: string,
  context: Context,
): Promise<RegisteredTool | undefined> {
  const known = host.registry.snapshot.find(name);
  if (known) return known;
  await listServers(host, context);
  return host.registry.snapshot.find(name);
}

/** Throws PEG_TOOL_NOT_FOUND with similar names, or with what its source reports about it. */
export async function getTool(host: Host, name: string, context: Context): Promise<RegisteredTool> {
  const scope = scopeOf(host, context);
  const tool = await findTool(host, name, context);
  if (tool && isVisible(tool, scope)) return tool;
  const { snapshot } = host.registry;
  const missing = tool ? undefined : whyMissing(snapshot, name, scope);
  if (missing) throw missing;
  const near = snapshot.suggest(name).filter((id) => isVisible(snapshot.tools.get(id)!, scope));
  throw new PegboardError(
    'PEG_TOOL_NOT_FOUND',
    `There is no tool "${name}".${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ` "${pegboard} tools" lists them.`}`,
    { data: { suggestions: near } },
  );
}
