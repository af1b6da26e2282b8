import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { commands } from '../../../host/cli/commands.ts';

const root = join(import.meta.dirname, '../../..');

/** Text for files that are read elsewhere, and code that the user's shell runs by this name. */
const readElsewhere = [
  'host/cli/commands/this-home/completion.ts',
  'host/cli/home/templates.ts',
  'host/formats/config.ts',
  'host/formats/mcp.ts',
  'host/formats/tool.ts',
  'host/sources/manifests/files/scaffold.ts',
  'plugins/builtin-self/service/launchd-plist.ts',
  'plugins/builtin-self/service/systemd-unit.ts',
];
/** Names that are stored and compared, not commands for somebody to type. */
const names = ['pegboard start', 'pegboard approvals'];

const firstWords = new Set(
  [...commands.map(({ name }) => name), ...pluginCommands()].map((name) => name.split(' ')[0]!),
);

function pluginCommands(): string[] {
  return globSync('plugins/*/plugin.yaml', { cwd: root }).flatMap((path) => {
    const manifest = load(readFileSync(join(root, path), 'utf8')) as { readonly commands?: object };
    return Object.keys(manifest.commands ?? {});
  });
}

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The texts of a file, with each value that is filled in as "${}". */
function* textsIn(node: Node): Generator<string> {
  if (node.type.startsWith('Import')) return;
  if (node.type === 'Literal' && typeof node['value'] === 'string') yield node['value'];
  if (node.type === 'TemplateLiteral')
    yield (node['quasis'] as { readonly value: { readonly cooked: string } }[])
      .map(({ value }) => value.cooked)
      .join('${}');
  for (const part of Object.values(node).flat())
    if (typeof part === 'object' && part !== null && 'type' in part) yield* textsIn(part as Node);
}

/** Commands that a text names by the name `pegboard`, wherever Pegboard is installed. */
function commandsIn(text: string): string[] {
  if (names.includes(text)) return [];
  return [...text.matchAll(/(?<![\w./-])pegboard (\$\{\}|-{0,2}\w[\w-]*|\[)/g)]
    .filter(([, word = '']) => /^(?:\$|\[|-|COMMAND$)/.test(word) || firstWords.has(word))
    .map(([found]) => found);
}

const found = globSync(['host/**/*.ts', 'plugins/**/*.ts'], { cwd: root }).flatMap((path) => {
  const program = parseAst(readFileSync(join(root, path), 'utf8'), { lang: 'ts' }) as unknown as Node;
  return [...textsIn(program)].flatMap(commandsIn).map((command) => ({ path, command }));
});

test('a command in a message starts with what this user can type: ${pegboard} of host/core/own-command.ts', () => {
  // "claude mcp add --transport http pegboard URL" names a server.
  const messages = found.filter(
    ({ path }) =>
      !readElsewhere.includes(path) && path !== 'plugins/builtin-mcp-server/serving/serve-http.ts',
  );
  expect(messages).toEqual([]);
});

test('every exception is still needed', () => {
  for (const path of readElsewhere) expect(found.map((one) => one.path)).toContain(path);
});

test('the check sees commands, groups and plugins', () => {
  const texts = ['`pegboard mcp list`', 'run "pegboard ${}"', 'pegboard --help', 'pegboard telegram pair 1'];
  for (const text of texts) expect(commandsIn(text)).toHaveLength(1);
  expect(commandsIn('all pegboard commands')).toEqual([]);
});
