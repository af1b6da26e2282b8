import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  checkName,
  existsAlready,
  titleOf,
  writeMissing,
  writeTemplate,
  type Template,
} from '../../../core/files/new-file.ts';

/** The space of a new tool when none is named. */
const defaultSpace = 'personal';

/** The space that a new file goes into; `personal` when absent. */
export interface ScaffoldPlace {
  readonly space?: string | undefined;
}

/** Writes a working tool as an example to edit; returns its path. Throws PEG_USAGE rather than overwrite. */
export async function newTool(home: string, name: string, place: ScaffoldPlace = {}): Promise<string> {
  return await writeTemplate(toolTemplate(home, name, place));
}

/** Throws PEG_USAGE for an invalid name. */
export function toolTemplate(
  home: string,
  name: string,
  { space = defaultSpace }: ScaffoldPlace = {},
): Template {
  checkName('a tool', name);
  checkName('a space', space);
  return { path: join(home, 'spaces', space, 'agent', 'tools', `${name}.md`), text: toolText(name) };
}

/** Writes a space with a first tool; returns its folder. Throws PEG_USAGE when it exists. */
export async function newSpace(home: string, name: string): Promise<string> {
  const template = spaceTemplate(home, name);
  const folder = dirname(template.path);
  if (existsSync(folder)) throw existsAlready(folder);
  await writeMissing([template, toolTemplate(home, 'hello', { space: name })]);
  return folder;
}

/** A space without tools of its own. Throws PEG_USAGE for an invalid name. */
export function spaceTemplate(home: string, name: string): Template {
  checkName('a space', name);
  const manifest = { id: name, name: titleOf(name), description: `Tools of the space ${name}`, tools: [] };
  return {
    path: join(home, 'spaces', name, 'space.manifest.json'),
    text: `${JSON.stringify(manifest, null, 2)}\n`,
  };
}

function toolText(name: string): string {
  return `---
id: ${name}
name: ${titleOf(name)}
description: Greets someone by name. Say here what the tool does and when to use it.
parameters:
  - name: who
    type: string
    description: Whom to greet
    default: world
command: echo Hello, {{who}}
examples:
  - input: { who: Ada }
    output: Hello, Ada
---

# ${titleOf(name)}

Documentation for people. Try it: \`pegboard call ${name} who=Ada\`
`;
}
