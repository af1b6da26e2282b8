import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkName, existsAlready, titleOf, writeNew } from '../../../core/files/new-file.ts';

/** The space of a new tool when none is named. */
const defaultSpace = 'personal';

/** Writes a working tool as an example to edit; returns its path. Throws PEG_USAGE rather than overwrite. */
export async function newTool(
  home: string,
  name: string,
  { space = defaultSpace }: { readonly space?: string | undefined } = {},
): Promise<string> {
  checkName('a tool', name);
  checkName('a space', space);
  const path = join(home, 'spaces', space, 'agent', 'tools', `${name}.md`);
  return writeNew(path, toolText(name));
}

/** Writes a space with a first tool; returns its folder. Throws PEG_USAGE when it exists. */
export async function newSpace(home: string, name: string): Promise<string> {
  checkName('a space', name);
  const folder = join(home, 'spaces', name);
  if (existsSync(folder)) throw existsAlready(folder);
  const manifest = { id: name, name: titleOf(name), description: `Tools of the space ${name}`, tools: [] };
  await writeNew(join(folder, 'space.manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await newTool(home, 'hello', { space: name });
  return folder;
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
