import { basename } from 'node:path';
import type { Host } from 'pegboard/embed';
import {
  type LintedTool,
  qualifiedWireName,
  readSkill,
  tokensIn,
  toWireName,
  writeTool,
  type WrittenAgent,
  type WrittenSpace,
} from 'pegboard/home';
import { readDocument } from 'pegboard/kit';
import { tokensOf } from 'pegboard/serving';
import type { ManifestFile } from './find-manifest.ts';
import type { ShownToModels } from './wire.ts';

/** What models would be shown of a manifest without errors. `tools`: those that it describes. */
export async function shownToModels(
  { registry }: Pick<Host, 'registry'>,
  file: ManifestFile,
  text: string,
  tools: readonly LintedTool[],
): Promise<readonly ShownToModels[]> {
  const ofTools = tools.map((tool) => shownTool(registry, tool));
  switch (file.kind) {
    case 'tool':
      return ofTools;
    case 'skill':
      return await shownSkill(file, text);
    case 'agent':
      return [shownAgent(file, valueIn(file, text) as WrittenAgent)];
    case 'space':
      return [shownSpace(file, valueIn(file, text) as WrittenSpace), ...ofTools];
    case 'plugin':
      return [];
  }
}

function shownTool({ snapshot }: Host['registry'], { manifest, file }: LintedTool): ShownToModels {
  const { id, description, examples } = manifest.written;
  const known = snapshot.tools.get(`${file.module}.${id}`)?.wireName;
  const free = snapshot.find(id) === undefined ? toWireName(id) : qualifiedWireName(file.module, id);
  const wire = writeTool({
    wireName: known ?? free,
    description,
    parameters: manifest.schema,
    ...(examples && { examples }),
  });
  return {
    where: `As a tool that models call. People and programs call it ${file.module}.${id}.`,
    name: wire.name,
    description: wire.description,
    parameters: wire.parameters,
    tokens: tokensOf(wire),
  };
}

async function shownSkill({ path }: ManifestFile, text: string): Promise<readonly ShownToModels[]> {
  const { skill } = await readSkill(text, path);
  if (!skill) return [];
  const { name, description, body } = skill;
  return [
    {
      where: `In the list of skills, with every request. The text below follows when the skill is used.`,
      name,
      description,
      text: body,
      tokens: tokensIn(`- ${name}: ${description}`),
    },
  ];
}

function shownAgent({ name: path, module }: ManifestFile, written: WrittenAgent): ShownToModels {
  const single = path.endsWith('/agent/agent.yaml');
  const own = written?.id ?? (single ? module : basename(path).replace(/\.ya?ml$/, ''));
  const prompt = written?.system_prompt;
  return {
    where: 'To agents that may hand over a task. The text below begins what its own model is sent.',
    name: single ? own : `${module}/${own}`,
    description: written?.description ?? `Works with the tools of the space ${module}`,
    ...(prompt !== undefined && { text: prompt }),
    tokens: tokensIn(prompt ?? ''),
  };
}

function shownSpace({ module }: ManifestFile, written: WrittenSpace): ShownToModels {
  const description = written?.description ?? `Tools of the space ${module}`;
  return {
    where: 'As a group of tools, where models look for one.',
    name: module,
    description,
    tokens: tokensIn(`${module}: ${description}`),
  };
}

const valueIn = ({ path }: ManifestFile, text: string): unknown =>
  readDocument(text, { path, format: path.endsWith('.json') ? 'json' : 'yaml' }).value;
