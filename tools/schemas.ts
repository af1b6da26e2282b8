/** `node tools/schemas.ts`: writes schemas/ from the formats in host/formats/. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { agentFormat } from '../host/formats/agent.ts';
import { configFormat } from '../host/formats/config.ts';
import { mcpFormat } from '../host/formats/mcp.ts';
import { pluginFormat, type WrittenPlugin } from '../host/formats/plugin.ts';
import { skillFormat } from '../host/formats/skill.ts';
import { spaceFormat } from '../host/formats/space.ts';
import { toolFormat } from '../host/formats/tool.ts';

const root = join(import.meta.dirname, '..');

/** Parts of pegboard.yaml that belong to plugins which ship: the `config` of their plugin.yaml. */
const sections = Object.fromEntries(
  globSync('plugins/builtin-*/plugin.yaml', { cwd: root })
    .toSorted()
    .map((path) => load(readFileSync(join(root, path), 'utf8')) as WrittenPlugin)
    .flatMap(({ section, config }) => (section !== undefined && config ? [[section, config]] : [])),
) as Members;

const formats = {
  'agent.schema.json': agentFormat,
  'mcp.schema.json': mcpFormat,
  'pegboard.schema.json': withSections(configFormat),
  'plugin.schema.json': pluginFormat,
  'skill.schema.json': skillFormat,
  'space.manifest.schema.json': spaceFormat,
  'tool.schema.json': toolFormat,
};

function withSections(format: object): object {
  const { properties } = format as { readonly properties: Members };
  return { ...format, properties: { ...properties, ...sections } };
}

/** The schemas by the names of their files. */
export const schemas: { readonly [file: string]: object } = Object.fromEntries(
  Object.entries(formats).map(([file, format]) => [
    file,
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `https://pegboard.dev/schemas/${file}`,
      ...inOrder(format),
    },
  ]),
);

/** What a reader looks for first comes first, and what is long comes last. */
function inOrder(schema: object): object {
  const order = [
    'title',
    'description',
    'unknownKeys',
    'type',
    'required',
    'additionalProperties',
    '',
    'default',
    'examples',
  ];
  const rankOf = (keyword: string): number => order.indexOf(order.includes(keyword) ? keyword : '');
  const members = Object.entries(schema as Members).toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  return Object.fromEntries(members.map(([keyword, value]) => [keyword, partsInOrder(keyword, value)]));
}

type Members = { readonly [name: string]: object };

function partsInOrder(keyword: string, value: object): unknown {
  if (keyword === 'anyOf') return (value as readonly object[]).map(inOrder);
  if (keyword === 'properties')
    return Object.fromEntries(Object.entries(value as Members).map(([name, part]) => [name, inOrder(part)]));
  return keyword === 'items' || (keyword === 'additionalProperties' && typeof value === 'object')
    ? inOrder(value)
    : value;
}

if (import.meta.main) {
  const folder = join(root, 'schemas');
  for (const [file, schema] of Object.entries(schemas))
    writeFileSync(join(folder, file), JSON.stringify(schema));
}
