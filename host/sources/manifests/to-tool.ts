import type { JsonObject, ToolOutput } from '../../api/result.ts';
import type { Prepared, Tool, ToolCall } from '../../api/tool.ts';
import type { ManifestContext } from './context.ts';
import type { ManifestAction, ToolManifest } from './manifest.ts';
import { prepareCommand, runCommand } from './run-command.ts';
import { runHandler } from './run-handler.ts';

/** The tool that a manifest describes. */
export function toTool(manifest: ToolManifest, context: ManifestContext): Tool {
  const { id, name, description, category, icon, tags, aliases, examples, documentation } = manifest;
  return {
    name: id,
    title: name,
    description,
    parameters: manifest.schema,
    ...(category !== undefined && { category }),
    ...(icon !== undefined && { icon }),
    ...(tags && { tags }),
    ...(aliases && { aliases }),
    ...(examples && { examples }),
    ...(documentation !== undefined && { documentation }),
    timeout: manifest.timeout,
    confirm: manifest.confirm,
    fingerprint: manifest.fingerprint,
    origin: manifest.path,
    ...behaviour(manifest, manifest.action, context),
  };
}

/** What running it means, by the kind of its action. */
function behaviour(
  manifest: ToolManifest,
  action: ManifestAction,
  context: ManifestContext,
): Pick<Tool, 'prepare' | 'execute'> {
  switch (action.kind) {
    case 'command': {
      const command = { ...manifest, command: action.command };
      return {
        prepare: (args: JsonObject) => prepareCommand(command, args),
        execute: (_args, call) => runCommand(command, call, context),
      };
    }
    case 'mcp':
      return {
        prepare: (args: JsonObject): Prepared => ({
          preview: `${action.server}.${action.tool} ${JSON.stringify(args)}`,
        }),
        execute: (args, call: ToolCall): Promise<ToolOutput> =>
          context.runMcp(action.server, action.tool, args, call),
      };
    case 'handler':
      return { execute: (args, call: ToolCall) => runHandler(action, args, call) };
  }
}
