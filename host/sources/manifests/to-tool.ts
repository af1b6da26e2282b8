import type { FileMentions } from '../../api/known-folders.ts';
import type { JsonObject } from '../../api/result.ts';
import type { Caller, Tool } from '../../api/tool.ts';
import { toJson } from '../../core/documents/written-numbers.ts';
import { PegboardError } from '../../core/errors.ts';
import { interpolate, referencesIn } from '../../core/documents/interpolate.ts';
import { requireSandbox } from '../../core/sandbox/availability.ts';
import { toSandboxRule } from '../../core/sandbox/rule.ts';
import { linkOutOf } from '../../core/files/links.ts';
import { folderOf } from './run/callers-folder.ts';
import { commandOrigin, noteWritten, originIn } from './run/command-origin.ts';
import type { ManifestContext } from './run/context.ts';
import type { LoadedRequest } from './http/load-request.ts';
import { learnSecrets, previewRequest, sendRequest } from './http/send-request.ts';
import type { ToolManifest } from './manifest.ts';
import { learnEnvironment, prepareCommand, runCommand, type CommandSpec } from './run/run-command.ts';
import { runHandler } from './run/run-handler.ts';

/** Seconds. */
const defaultTimeoutSeconds = 60;

/** The tool that a manifest describes. */
export function toTool(manifest: ToolManifest, context: ManifestContext): Tool {
  const { written, documentation } = manifest;
  const { id, name, description, category, icon, tags, aliases, examples } = written;
  const { timeout = defaultTimeoutSeconds, confirm = false } = written;
  const untrusted = untrustedBy(manifest, context);
  const sandbox = toSandboxRule(written.sandbox, manifest.root, context.user.userHome);
  const behaviour = toBehaviour(manifest, context);
  return {
    name: id,
    ...(untrusted && { untrusted }),
    title: name,
    description,
    parameters: manifest.schema,
    ...(category !== undefined && { category }),
    ...(icon !== undefined && { icon }),
    ...runsOf(manifest),
    ...(tags && { tags }),
    ...(aliases && { aliases }),
    ...(examples && { examples }),
    ...(documentation !== '' && { documentation }),
    ...annotationsOf(manifest),
    timeout,
    confirm,
    ...(sandbox && { sandbox }),
    fingerprint: manifest.fingerprint,
    origin: manifest.path,
    mentions: mentionsOf(manifest),
    ...(/command|script/.test(manifest.action.kind) && { tracksOrigins: true }),
    ...(manifest.action.kind === 'http' && { relays: true }),
    ...behaviour,
    execute(args, call) {
      // The manifest and the files it runs may have changed during the confirmation.
      context.checkPinned(manifest.root, manifest.path);
      return behaviour.execute(args, call);
    },
  };
}

/** What it runs, as people see it. */
function runsOf({ written, action }: ToolManifest): Pick<Tool, 'command'> {
  if (action.kind === 'http') return { command: `${action.request.method} ${action.request.address}` };
  return written.command === undefined ? {} : { command: written.command.trim() };
}

function annotationsOf({ written, action }: ToolManifest): Pick<Tool, 'annotations'> {
  const readOnly = written.readOnly && { readOnlyHint: true };
  if (action.kind !== 'http') return readOnly ? { annotations: readOnly } : {};
  const deletes = action.request.method === 'DELETE' && { destructiveHint: true };
  return { annotations: { ...readOnly, ...deletes, openWorldHint: true } };
}

/** Who writes what the tool returns: an MCP server, the server of a request, the author of a web page, or the author of files that it reads. */
function untrustedBy({ action, cwd }: ToolManifest, context: ManifestContext): Tool['untrusted'] {
  switch (action.kind) {
    case 'mcp':
      return { kind: 'mcp', what: action.server };
    case 'http':
      return { kind: 'web', what: action.request.server };
    case 'command':
      return cwd === undefined ? undefined : commandOrigin(action, cwd, context.fileOrigins);
    case 'bridge':
    case 'handler':
    case 'script':
      return undefined;
  }
}

function mentionsOf({ written, action, root, cwd }: ToolManifest): FileMentions {
  const { command = '', environment = {} } = written;
  const texts = [command, ...Object.values(environment), ...(action.kind === 'handler' ? [action.file] : [])];
  return { texts: texts.filter((text) => text !== ''), folders: [...new Set([cwd ?? root, root])] };
}

function toBehaviour(
  { written, action, root, cwd }: ToolManifest,
  context: ManifestContext,
): Pick<Tool, 'prepare' | 'execute' | 'secrets' | 'unset' | 'preservesNumbers'> {
  switch (action.kind) {
    case 'command': {
      const { id, environment = {}, output = 'text' } = written;
      learnEnvironment(environment, context);
      const { command } = action;
      const { required, optional } = command.variables;
      const own = (name: string): boolean => !Object.hasOwn(environment, name);
      const variables = [
        ...required.filter(own).map((name) => `\${${name}}`),
        ...optional.filter(own).map((name) => `\${${name}:-}`),
      ];
      const specIn = (folder: string): CommandSpec => ({ command, cwd: folder, environment, output, root });
      return {
        ...namedSecrets([...Object.values(environment), ...variables], context),
        prepare: (args: JsonObject, caller) => {
          const { sandbox } = caller;
          const prepareIn = (folder: string) => prepareCommand(specIn(folder), args, sandbox);
          if (cwd === undefined) return inCallersFolder(id, caller).then(prepareIn);
          if (cwd !== root) checkFolder(id, root, cwd);
          const prepared = prepareIn(cwd);
          return sandbox ? requireSandbox(id, sandbox).then(() => prepared) : prepared;
        },
        execute: async (_args, call) => {
          const began = Date.now();
          const folder = cwd ?? call.prepared!.cwd!;
          // What others may have written is known only now, and may be moved away by the command.
          const read = originIn(action, folder, call, context.fileOrigins);
          if (read) call.recordOrigins?.([read]);
          try {
            return await runCommand(specIn(folder), call, context);
          } finally {
            await noteWritten({ action, cwd: folder, began, read }, call, context.fileOrigins);
          }
        },
      };
    }
    case 'http':
      return httpBehaviour(action.request, context);
    case 'mcp': {
      const { server, tool } = action;
      return {
        prepare: (args) => ({ preview: `${tool} on the MCP server ${server} with ${toJson(args)}` }),
        execute: (args, call) => context.runMcp(server, tool, args, call),
      };
    }
    case 'bridge': {
      const { tool, fixed } = action;
      return {
        prepare: (args: JsonObject) => ({ preview: `${tool} with ${toJson({ ...fixed, ...args })}` }),
        execute: (args: JsonObject, call) => context.runBridge(tool, { ...fixed, ...args }, call),
      };
    }
    case 'script': {
      const { program } = action;
      return {
        prepare: (args) => ({ preview: `${program.trim()}\n\nwith ${toJson(args)}` }),
        // What it declares is enforced: a script that only reads can't call a tool that does more.
        execute: (args: JsonObject, call) =>
          context.runScript(program, call, { args, ...(written.readOnly && { readOnly: true }) }),
      };
    }
    case 'handler':
      return {
        execute: (args, call) => runHandler(action, args, call, (file) => context.runnableFile(root, file)),
      };
  }
}

/** The variables and secrets that texts of the manifest name. */
function namedSecrets(
  texts: readonly string[],
  { isSecret, resolve }: ManifestContext,
): Pick<Tool, 'secrets' | 'unset'> {
  const templates = texts.join(' ');
  const names = referencesIn(templates);
  if (names.length === 0) return {};
  return {
    secrets: () => names.filter((name) => isSecret(name)),
    unset: () => [...new Set(interpolate(templates, resolve).missing)],
  };
}

function httpBehaviour(
  request: LoadedRequest,
  context: ManifestContext,
): Pick<Tool, 'prepare' | 'execute' | 'secrets' | 'unset' | 'preservesNumbers'> {
  learnSecrets(request, context);
  return {
    ...namedSecrets(request.texts, context),
    preservesNumbers: true,
    prepare: (args: JsonObject, { turn }) => {
      const preview = previewRequest(request, args);
      const others = turn?.untrusted.origins.some(({ what }) => what !== request.server) ?? false;
      if (!others || Object.keys(args).length === 0) return preview;
      const key = `http ${request.server}`;
      const reason = `The values of this request may tell ${request.server} what others want it to get.`;
      return {
        ...preview,
        discloses: { reason, allowances: { offered: { conversation: key }, coveredBy: [key] } },
      };
    },
    execute: (_args, call) => sendRequest(request, call, context),
  };
}

async function inCallersFolder(id: string, caller: Caller): Promise<string> {
  if (caller.sandbox) await requireSandbox(id, caller.sandbox);
  return await folderOf(id, caller);
}

/** A folder that was inside the space when its manifest was read may have become a link in the meantime. */
function checkFolder(id: string, root: string, cwd: string): void {
  const target = linkOutOf([root], cwd)?.target;
  if (target === undefined) return;
  throw new PegboardError(
    'PEG_DENIED',
    `${id} was not run: its folder ${cwd} is a link to ${target}, outside the space.`,
  );
}
