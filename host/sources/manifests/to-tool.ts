import type { Origin } from '../../api/provenance.ts';
import type { JsonObject } from '../../api/result.ts';
import type { Tool } from '../../api/tool.ts';
import { PegboardError } from '../../core/errors.ts';
import { referencesIn } from '../../core/documents/interpolate.ts';
import { requireSandbox } from '../../core/sandbox/availability.ts';
import { toSandboxRule } from '../../core/sandbox/rule.ts';
import { networkProgramIn } from '../../core/processes/network-programs.ts';
import { leadsOut } from './confine.ts';
import type { ManifestContext } from './context.ts';
import type { ToolManifest } from './manifest.ts';
import { learnEnvironment, prepareCommand, runCommand, type CommandSpec } from './run-command.ts';
import { runHandler } from './run-handler.ts';

/** Seconds. */
const defaultTimeout = 60;

/** The tool that a manifest describes. */
export function toTool(manifest: ToolManifest, context: ManifestContext): Tool {
  const { written, documentation } = manifest;
  const { id, name, description, category, icon, tags, aliases, examples } = written;
  const { timeout = defaultTimeout, confirm = false } = written;
  const untrusted = writtenElsewhere(manifest);
  const sandbox = toSandboxRule(written.sandbox, manifest.root);
  const behaviour = toBehaviour(manifest, context);
  return {
    name: id,
    ...(untrusted && { untrusted }),
    title: name,
    description,
    parameters: manifest.schema,
    ...(category !== undefined && { category }),
    ...(icon !== undefined && { icon }),
    ...(tags && { tags }),
    ...(aliases && { aliases }),
    ...(examples && { examples }),
    ...(documentation !== '' && { documentation }),
    timeout,
    confirm,
    ...(sandbox && { sandbox }),
    fingerprint: manifest.fingerprint,
    origin: manifest.path,
    ...behaviour,
    execute(args, call) {
      // It may have changed while somebody was asked, and what its files run too.
      context.checkPinned(manifest.root, manifest.path);
      return behaviour.execute(args, call);
    },
  };
}

/** Who writes what it returns: an MCP server, or whoever is at the other end of the network. */
function writtenElsewhere({ written, action }: ToolManifest): Origin | undefined {
  if (action.kind === 'mcp') return { kind: 'mcp', what: action.server };
  const program = written.command === undefined ? undefined : networkProgramIn(written.command);
  return program === undefined ? undefined : { kind: 'network', what: program };
}

function toBehaviour(
  { written, action, root, cwd }: ToolManifest,
  context: ManifestContext,
): Pick<Tool, 'prepare' | 'execute' | 'secrets'> {
  switch (action.kind) {
    case 'command': {
      const { id, environment = {}, output = 'text' } = written;
      learnEnvironment(environment, context);
      const spec: CommandSpec = { command: action.command, cwd, environment, output, root };
      const names = referencesIn(Object.values(environment).join(' '));
      return {
        ...(names.length > 0 && { secrets: () => names.filter((name) => context.isSecret(name)) }),
        prepare: (args: JsonObject, { sandbox }) => {
          if (cwd !== root) checkFolder(id, root, cwd);
          const prepared = prepareCommand(spec, args, sandbox);
          return sandbox ? requireSandbox(id, sandbox).then(() => prepared) : prepared;
        },
        execute: (_args, call) => runCommand(spec, call, context),
      };
    }
    case 'mcp': {
      const { server, tool } = action;
      return {
        prepare: (args) => ({ preview: `${tool} on the MCP server ${server} with ${JSON.stringify(args)}` }),
        execute: (args, call) => context.runMcp(server, tool, args, call),
      };
    }
    case 'handler':
      return { execute: (args, call) => runHandler(action, args, call, () => context.checkCode(root)) };
  }
}

/** A folder that was inside the space when its manifest was read may have become a link since. */
function checkFolder(id: string, root: string, cwd: string): void {
  const target = leadsOut(root, cwd);
  if (target === undefined) return;
  throw new PegboardError(
    'PEG_DENIED',
    `${id} was not run: its folder ${cwd} is a link that leads out of the space, to ${target}.`,
  );
}
