import type { AgentDirectory, Allowances, Caller, JsonObject, Tool, ToolCall } from 'pegboard';
import { createEdit } from '../filesystem/edit.ts';
import type { FileAccess } from '../filesystem/access/file-access.ts';
import { createGlob } from '../filesystem/glob.ts';
import { createGrep } from '../filesystem/grep.ts';
import type { LineSearchEngine } from '../filesystem/search/line-search.ts';
import { createRead } from '../filesystem/read.ts';
import { createWrite } from '../filesystem/write.ts';
import { createDelete } from './delete.ts';
import { workspaceRoots } from './roots.ts';

type Make = (access: FileAccess, engine: () => Promise<LineSearchEngine>) => Tool;

/** Name, factory and description. */
const actions: readonly (readonly [name: string, make: Make, description: string])[] = [
  [
    'WsWrite',
    createWrite,
    'Writes a whole text file of the workspace. A file that exists must be read with WsRead first.',
  ],
  ['WsRead', createRead, 'Reads a file of the workspace: text from line offset on, or an image.'],
  ['WsEdit', createEdit, 'Replaces exact text in a file of the workspace that was read with WsRead.'],
  ['WsGlob', createGlob, 'Finds files of the workspace whose path matches a pattern: **/*.md.'],
  ['WsGrep', createGrep, 'Finds lines of the workspace that match a regular expression (RE2).'],
  ['WsDelete', createDelete, 'Deletes a file or a folder of the workspace.'],
];

/** Six tools: the file tools, confined to the `workspace` folder of the acting agent's space. */
export function createWorkspacePack(agents: AgentDirectory, home: FileAccess): readonly Tool[] {
  let chosen: Promise<LineSearchEngine> | undefined;
  const engine = async (): Promise<LineSearchEngine> =>
    await (chosen ??= import('../filesystem/search/search-engine.ts').then(({ chooseEngine }) =>
      chooseEngine(home.surroundings),
    ));
  const accessOf = ({ scope }: { readonly scope: Caller['scope'] }): FileAccess => ({
    ...home,
    roots: workspaceRoots(home.roots, agents.agentFor(scope.agent)),
  });
  return actions.map(([name, make, description]) =>
    confined(name, description, make(home, engine), (caller) => make(accessOf(caller), engine)),
  );
}

/** A tool that is created for each caller's workspace. Its parameters are those of `model`. */
/** Changes to the workspace may be allowed for a conversation, even after untrusted content was read. */
const keepsAll: ReadonlySet<string> = new Set(['WsWrite', 'WsEdit']);
const ofWorkspace: Allowances = { offered: { conversation: 'workspace' }, coveredBy: ['workspace'] };

function confined(
  name: string,
  description: string,
  model: Tool,
  toolFor: (caller: { readonly scope: Caller['scope'] }) => Tool,
): Tool {
  const { examples: _, ...rest } = model;
  return {
    ...rest,
    name,
    title: `${model.title} (workspace)`,
    description,
    category: 'workspace',
    parameters: inWorkspace(model.parameters),
    ...(model.prepare && {
      prepare: async (args: unknown, caller: Caller) => {
        const prepared = await toolFor(caller).prepare!(args, caller);
        return keepsAll.has(name) && !prepared.sensitive && !prepared.confirm
          ? { ...prepared, allowances: ofWorkspace }
          : prepared;
      },
    }),
    execute: (args: unknown, call: ToolCall) => toolFor(call).execute(args, call),
  };
}

function inWorkspace(schema: JsonObject): JsonObject {
  const { path, ...others } = schema['properties'] as { readonly [name: string]: JsonObject };
  const described = { ...path, description: 'Relative to the workspace. Without it, the whole workspace.' };
  const required = schema['required'] as readonly string[];
  if (required.includes('path')) described.description = 'Relative to the workspace.';
  return { ...schema, properties: { path: described, ...others } };
}
