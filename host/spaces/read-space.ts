import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { JsonSchema } from '../api/result.ts';
import { checkDocument } from '../core/check-document.ts';
import { readDocument } from '../core/document.ts';
import { agentSchema, spaceSchema } from '../core/file-schemas.ts';
import { readTextFile } from '../core/text-file.ts';
import type { Agent, AgentHooks, Space } from './space.ts';

/** The folders under `<home>/spaces`, in the order of their names. */
export function spaceFolders(home: string): string[] {
  const root = join(home, 'spaces');
  return namesIn(root)
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(root, name))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory());
}

/** What its manifest and its agents' files say of a space. The tools that they list are the sources' to read. */
export async function readSpace(folder: string): Promise<Space> {
  const id = basename(folder);
  const diagnostics: Diagnostic[] = [];
  const manifest = await read<SpaceFile>(
    join(folder, 'space.manifest.json'),
    'json',
    withoutTools,
    diagnostics,
  );
  if (manifest?.id !== undefined && manifest.id !== id) {
    diagnostics.push({
      severity: 'warning',
      code: 'other-id',
      message: `the space's id is its folder's name, "${id}", not "${manifest.id}"`,
      path: join(folder, 'space.manifest.json'),
      hint: `"id": "${id}"`,
    });
  }
  return {
    id,
    name: manifest?.name ?? id,
    description: manifest?.description ?? `Tools of the space ${id}`,
    folder,
    agents: await readAgents(folder, id, manifest?.blockedTools ?? [], diagnostics),
    diagnostics,
  };
}

interface SpaceFile {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly blockedTools?: readonly string[];
}

interface AgentFile {
  readonly id?: string;
  readonly blockedTools?: readonly string[];
  readonly hooks?: AgentHooks;
}

/** A tool that is wrong costs its own entry, not the space's name and blocks. */
const withoutTools: JsonSchema = {
  ...spaceSchema,
  properties: { ...spaceSchema.properties, tools: {} },
};

async function readAgents(
  folder: string,
  space: string,
  blockedInSpace: readonly string[],
  diagnostics: Diagnostic[],
): Promise<readonly Agent[]> {
  const single = await read<AgentFile>(join(folder, 'agent', 'agent.yaml'), 'yaml', agentSchema, diagnostics);
  const agents: Agent[] = single ? [toAgent(single.id ?? space, single)] : [];
  for (const path of agentFiles(folder)) {
    const file = await read<AgentFile>(path, 'yaml', agentSchema, diagnostics);
    if (file) agents.push(toAgent(`${space}/${file.id ?? basename(path).replace(/\.ya?ml$/, '')}`, file));
  }
  return agents.length > 0 ? agents : [toAgent(space, {})];

  function toAgent(id: string, { blockedTools = [], hooks = {} }: AgentFile): Agent {
    return { id, space, blockedTools: [...blockedInSpace, ...blockedTools], hooks };
  }
}

function agentFiles(folder: string): string[] {
  return ['agents', join('agent', 'agents')].flatMap((part) =>
    namesIn(join(folder, part))
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => join(folder, part, name)),
  );
}

/** The file's value, or undefined when it is missing or wrong; what is wrong goes to `diagnostics`. */
async function read<T>(
  path: string,
  format: 'yaml' | 'json',
  schema: JsonSchema,
  diagnostics: Diagnostic[],
): Promise<T | undefined> {
  const file = readTextFile(path);
  if (file.text === undefined) {
    if (!file.missing) diagnostics.push(...file.diagnostics);
    return undefined;
  }
  const document = readDocument(file.text, { path, format });
  const problems = [...document.diagnostics];
  if (problems.length === 0) problems.push(...(await checkDocument(document, schema)));
  diagnostics.push(...problems);
  return problems.some(({ severity }) => severity === 'error') ? undefined : (document.value as T);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
