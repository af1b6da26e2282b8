import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { JsonObject } from '../api/result.ts';
import type { Registry } from '../api/source.ts';
import type { RegisteredTool, Tool } from '../api/tool.ts';
import { describeDiagnostic } from '../core/documents/describe-diagnostic.ts';
import { PegboardError } from '../core/errors.ts';
import { readTextFile } from '../core/files/text-file.ts';
import { noTimeoutSeconds } from '../meta/no-timeout.ts';
import { isScriptPath } from '../sources/manifests/parse-script.ts';
import { readManifestFile } from '../sources/manifests/read-manifest.ts';
import { scriptModule } from '../scripts/script-module.ts';
import type { ManifestContext } from '../sources/manifests/run/context.ts';
import { toTool } from '../sources/manifests/to-tool.ts';

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
  registry: Registry,
  context: ManifestContext,
): Promise<ScriptFile> {
  const known = registry.snapshot.tools.values().find((tool) => isScriptPath(path) && isFrom(tool, path));
  if (known) return { tool: known, isAdded: false, async [Symbol.asyncDispose]() {} };
  const made = isScriptPath(path) ? await readTool(path, context) : readProgram(path, context);
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

async function readTool(path: string, context: ManifestContext): Promise<Tool> {
  const { manifest, diagnostics } = await readManifestFile(path, dirname(path));
  if (manifest?.action.kind === 'script') return toTool(manifest, context);
  throw unreadable(path, diagnostics);
}

function readProgram(path: string, context: ManifestContext): Tool {
  const { text, diagnostics } = readTextFile(path, [dirname(path)]);
  if (text === undefined) throw unreadable(path, diagnostics);
  return {
    name: basename(path).split('.', 1)[0]!,
    description: 'A program over tools',
    parameters: { type: 'object' },
    timeout: noTimeoutSeconds,
    execute: (args: JsonObject, call) => context.runScript(text, call, { args }),
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

const unreadable = (path: string, diagnostics: readonly Diagnostic[]): PegboardError =>
  new PegboardError(
    'PEG_USAGE',
    diagnostics.map((one) => describeDiagnostic(one)).join('\n') || `There is no file ${path}.`,
  );
