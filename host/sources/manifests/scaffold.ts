import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PegboardError } from '../../core/errors.ts';

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Where a new tool goes when no space is named. */
const usual = 'personal';

/** Writes a tool that works and shows how one is written; returns its path. Throws PEG_USAGE rather than overwrite. */
export async function newTool(
  home: string,
  name: string,
  { space = usual }: { readonly space?: string | undefined } = {},
): Promise<string> {
  checkName('tool', name);
  checkName('space', space);
  const path = join(home, 'spaces', space, 'agent', 'tools', `${name}.md`);
  return writeNew(path, toolText(name));
}

/** Writes a space with a first tool; returns its folder. Throws PEG_USAGE when it exists. */
export async function newSpace(home: string, name: string): Promise<string> {
  checkName('space', name);
  const folder = join(home, 'spaces', name);
  if (existsSync(folder)) throw exists(folder);
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

const titleOf = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

function checkName(what: string, name: string): void {
  if (kebabCase.test(name) && name.length <= 64) return;
  const words = name.toLowerCase().match(/[a-z0-9]+/g);
  const hint = words ? ` Try "${words.join('-').slice(0, 64)}".` : '';
  throw new PegboardError(
    'PEG_USAGE',
    `"${name}" can't be the name of a ${what}: lower-case words with hyphens between, at most 64 characters.${hint}`,
  );
}

async function writeNew(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx' });
    return path;
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? exists(path) : cause;
  }
}

const exists = (path: string): PegboardError =>
  new PegboardError('PEG_USAGE', `${path} is there already; nothing was changed.`);
