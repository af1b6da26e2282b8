import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkName, titleOf, writeTemplate, type Template } from '../core/files/new-file.ts';
import type { ScaffoldPlace } from '../sources/manifests/files/scaffold.ts';
import { defaultSpace } from './find-agent.ts';

/** Writes an agent as `agentTemplate` makes it; returns its path and id. Throws PEG_USAGE rather than overwrite. */
export async function newAgent(
  home: string,
  name: string,
  place: ScaffoldPlace = {},
): Promise<{ readonly path: string; readonly id: string }> {
  const { id, ...template } = agentTemplate(home, name, place);
  return { path: await writeTemplate(template), id };
}

/**
 * An agent with every setting that people look for. The first one that has the name of its space is the space's
 * agent.yaml, any other one of several. Throws PEG_USAGE for an invalid name.
 */
export function agentTemplate(
  home: string,
  name: string,
  { space = defaultSpace }: ScaffoldPlace = {},
): Template & { readonly id: string } {
  checkName('an agent', name);
  checkName('a space', space);
  const folder = join(home, 'spaces', space);
  const single = join(folder, 'agent', 'agent.yaml');
  if (name === space && !existsSync(single))
    return { path: single, text: agentText(home, name, space, true), id: name };
  const path = join(folder, 'agents', `${name}.yaml`);
  return { path, text: agentText(home, name, space, false), id: `${space}/${name}` };
}

/** Writes a skill to start from; returns its path. Throws PEG_USAGE rather than overwrite. */
export async function newSkill(home: string, name: string, place: ScaffoldPlace = {}): Promise<string> {
  return await writeTemplate(skillTemplate(home, name, place));
}

/** Throws PEG_USAGE for an invalid name. */
export function skillTemplate(
  home: string,
  name: string,
  { space = defaultSpace }: ScaffoldPlace = {},
): Template {
  checkName('a skill', name);
  checkName('a space', space);
  return { path: join(home, 'spaces', space, 'agent', 'skills', `${name}.md`), text: skillText(name) };
}

/** `replacesDefault`: the agent that the space had without a file may use every tool, and so does this one. */
function agentText(home: string, name: string, space: string, replacesDefault: boolean): string {
  // `pegboard init` puts the schemas there for editors; a clone has them as its own.
  const schemas = existsSync(join(home, '.vscode', 'pegboard')) ? '.vscode/pegboard' : 'schemas';
  return `# yaml-language-server: $schema=../../../${schemas}/agent.schema.json
id: ${name}
name: ${titleOf(name)}
description: Say here in a sentence what it is for. Other agents read it before they hand over a task.
role: assistant # a coordinator may start agents of its own, a worker only works

brain:
  # model: openrouter/openai/gpt-5-mini   # the home's default when absent
  native_tool_use: auto
  fallback: [] # models to try when the first can't answer

runtime:
  max_rounds: 40 # times that the model is asked in one turn
  deadline: 600 # seconds for one turn
  # spend_per_day: 2   # US dollars

# What it may use. Without this part, every tool of the home.
${replacesDefault ? commentedOut(toolsText(space)) : toolsText(space)}
system_prompt: |
  ${replacesDefault ? 'Answer briefly.' : 'You look things up in files and answer briefly, with the place where you found it.'}
`;
}

const toolsText = (space: string): string => `tools:
  modules:
    ${space}: # the tools of its own space
    filesystem:
      constraints:
        allowed_actions: [read, glob, grep, listdir]
    # web:
    #   middleware:
    #     rate_limit: { per_minute: 10 }
`;

const commentedOut = (text: string): string => text.replaceAll(/^(?=.)/gm, '# ');

function skillText(name: string): string {
  return `---
name: ${name}
description: Say here what the skill does and when to use it. Agents choose it by this text.
# requires:            # while something is missing, the skill is not offered
#   tools: [read]
#   binaries: [git]
---

# ${titleOf(name)}

Instructions that an agent follows, step by step:

1. Find out what is wanted.
2. Do it.
3. Say what was done, in a sentence.
`;
}
