import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  type JsonObject,
  PegboardError,
  type PluginContext,
  type RegisteredTool,
  Scripts,
  type Tool,
} from 'pegboard';
import {
  describeDiagnostic,
  isScriptPath,
  ManifestReader,
  noTimeoutSeconds,
  readTextFile,
} from 'pegboard/kit';
import { scriptModule } from './script-module.ts';

const sourceId = 'script-file';

/** A script as a tool of the registry, until it is closed. */
export interface ScriptFile extends AsyncDisposable {
  readonly tool: RegisteredTool;
  /** The tool is no tool of the home. */
  readonly isAdded: boolean;
}

/**
 * The tool of the home that the file is, or one for this run. A plain program takes any object as its arguments. Throws
 * PEG_USAGE for a file that can't be read.
 */
export async function openScriptFile(
  path: string,
  context: Pick<PluginContext, 'registry' | 'use'>,
): Promise<ScriptFile> {
  const { registry } = context;
  const known = registry.snapshot.tools.values().find((tool) => isScriptPath(path) && isFrom(tool, path));
  if (known) return { tool: known, isAdded: false, async [Symbol.asyncDispose]() {} };
  const made = isScriptPath(path)
    ? await context.use(ManifestReader)((manifests) => manifests.readScript(path))
    : readProgram(path, (token) => context.use(token));
  const added = await registry.add({
    id: sourceId,
    kind: 'space',
    module: scriptModule,
    description: 'Scripts that are run from their files',
    list: () => ({ tools: [made] }),
  });
  const tool = registry.snapshot.tools.values().find(({ source }) => source.id === sourceId);
  if (tool) return { tool, isAdded: true, [Symbol.asyncDispose]: () => added[Symbol.asyncDispose]() };
  await added[Symbol.asyncDispose]();
  throw new PegboardError(
    'PEG_USAGE',
    `${path} was not run: its name is that of the tool ${scriptModule}.${made.name}. Rename the file.`,
  );
}

function readProgram(path: string, use: PluginContext['use']): Tool {
  const { text, diagnostics } = readTextFile(path, [dirname(path)]);
  if (text === undefined)
    throw new PegboardError(
      'PEG_USAGE',
      diagnostics.map((one) => describeDiagnostic(one)).join('\n') || `There is no file ${path}.`,
    );
  const scripts = use(Scripts);
  return {
    name: basename(path).split('.', 1)[0]!,
    description: 'A program over tools',
    parameters: { type: 'object' },
    timeout: noTimeoutSeconds,
    execute: (args: JsonObject, call) => scripts(({ run }) => run(text, call, { args })),
  };
}

function isFrom({ origin }: RegisteredTool, path: string): boolean {
  if (origin === undefined || basename(origin) !== basename(path)) return false;
  try {
    return realpathSync(origin) === realpathSync(path);
  } catch {
    return false;
  }
}
