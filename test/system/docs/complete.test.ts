import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands as ownCommands } from '../../../host/cli/commands.ts';
import { pluginCommands } from '../../../host/cli/plugin-commands.ts';
import type { Command } from '../../../host/cli/command.ts';
import { errorCodes } from '../../../host/core/errors.ts';
import { repository } from '../../kit/homes/clone.ts';
import { createHome } from '../../kit/homes/home.ts';
import { surroundingsWith } from '../../kit/surroundings.ts';

/** Those of plugins that ship are described here, too, where the help lists them among Pegboard's own. */
async function allCommands(): Promise<readonly Command[]> {
  await using home = await createHome();
  const ofPlugins = await pluginCommands(home.path, surroundingsWith({}));
  return [...ownCommands, ...ofPlugins.filter(({ group }) => group !== 'From plugins')].filter(
    ({ hidden }) => !hidden,
  );
}
const commands = await allCommands();

const textOf = (path: string): string => readFileSync(join(repository, path), 'utf8');
const jsonOf = (path: string): unknown => JSON.parse(textOf(path));

/** Property names of a schema, at any depth of `properties`. */
function keysOf(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(keysOf)];
}

test.for([
  ['schemas/tool.schema.json', ['docs/tool-manifests.md']],
  ['schemas/space.manifest.schema.json', ['docs/tool-manifests.md']],
  ['schemas/pegboard.schema.json', ['docs/configuration.md', 'docs/mcp.md', 'docs/sandbox.md']],
  ['schemas/agent.schema.json', ['docs/agents.md', 'docs/sandbox.md']],
  ['schemas/skill.schema.json', ['docs/skills.md']],
  ['schemas/mcp.schema.json', ['docs/mcp.md', 'docs/sandbox.md']],
  ['schemas/plugin.schema.json', ['docs/plugins.md', 'docs/screens.md']],
] as const)('every key of %s is explained in %s', ([schema, documents]) => {
  const text = documents.map(textOf).join('\n');
  const keys = keysOf(jsonOf(schema)).filter((key) => key !== '$schema');
  expect(keys.length).toBeGreaterThan(2);
  expect(keys.filter((key) => !text.includes(`\`${key}\``))).toEqual([]);
});

test('every command has its section in docs/command-line.md, and no section is of a command that is not there', () => {
  const described = [...textOf('docs/command-line.md').matchAll(/^#{2,3} `pegboard ?([a-z -]*)`/gm)].map(
    (match) => match[1]!,
  );
  const listed = commands.map(({ name }) => name);
  expect(described.toSorted()).toEqual(listed.toSorted());
});

test('every option of a command is named in its section', () => {
  const sections = textOf('docs/command-line.md').split(/^#{2,3} `pegboard ?/m);
  const missing = commands.flatMap(({ name, options = [] }) => {
    const section = sections.find((text) => text.startsWith(`${name}\``)) ?? '';
    return options
      .filter((option) => !section.includes(`--${option.name}`))
      .map((o) => `${name} --${o.name}`);
  });
  expect(missing).toEqual([]);
});

test('every error code is listed with its exit code', () => {
  const text = textOf('docs/command-line.md');
  const wrong = Object.entries(errorCodes).filter(
    ([code, exit]) => !text.includes(`| \`${code}\` | ${exit} |`),
  );
  expect(wrong).toEqual([]);
});

test('every dependency is explained, and nothing else is', () => {
  const { dependencies, devDependencies } = jsonOf('package.json') as {
    readonly dependencies: object;
    readonly devDependencies: object;
  };
  const explained = [...textOf('docs/dependencies.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
    (match) => match[1]!,
  );
  expect(explained.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted());
});

test('every test that the documents name by file and sentence is there', () => {
  const named = ['docs/security.md', 'docs/lifecycle.md'].flatMap((document) =>
    [...textOf(document).matchAll(/`(test\/[\w./-]+\.test\.ts)`: "([^"]+)"/g)].map(([, path, sentence]) => ({
      path: path!,
      sentence: sentence!,
    })),
  );
  expect(named.length).toBeGreaterThan(5);
  const missing = named.filter(
    ({ path, sentence }) => !existsSync(join(repository, path)) || !textOf(path).includes(sentence),
  );
  expect(missing).toEqual([]);
});
