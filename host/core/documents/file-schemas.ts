import type { JsonSchema } from '../../api/result.ts';
import agentSchema from '../../../schemas/agent.schema.json' with { type: 'json' };
import mcpSchema from '../../../schemas/mcp.schema.json' with { type: 'json' };
import pegboardSchema from '../../../schemas/pegboard.schema.json' with { type: 'json' };
import pluginSchema from '../../../schemas/plugin.schema.json' with { type: 'json' };
import skillSchema from '../../../schemas/skill.schema.json' with { type: 'json' };
import spaceSchema from '../../../schemas/space.manifest.schema.json' with { type: 'json' };
import toolSchema from '../../../schemas/tool.schema.json' with { type: 'json' };

export { agentSchema, mcpSchema, pegboardSchema, pluginSchema, skillSchema, spaceSchema, toolSchema };

/** The schemas of every file that people write, as editors see them, by the name that a `$ref` uses. */
const files: { readonly [file: string]: JsonSchema } = {
  'agent.schema.json': agentSchema,
  'mcp.schema.json': mcpSchema,
  'pegboard.schema.json': pegboardSchema,
  'plugin.schema.json': pluginSchema,
  'skill.schema.json': skillSchema,
  'space.manifest.schema.json': spaceSchema,
  'tool.schema.json': toolSchema,
};

/** What only editors and readers look at, and where `$ref`s point. */
const annotations = new Set([
  '$schema',
  '$id',
  '$defs',
  'title',
  'description',
  'examples',
  'default',
  'unknownKeys',
]);

const resolved = new WeakMap<JsonSchema, JsonSchema>();

/** The schema with every `$ref` to itself or to another file of schemas/ filled in, and nothing but rules in it. */
export function resolveSchema(schema: JsonSchema): JsonSchema {
  let rules = resolved.get(schema);
  if (!rules) resolved.set(schema, (rules = inline(schema, schema) as JsonSchema));
  return rules;
}

function inline(node: unknown, root: JsonSchema, names = false): unknown {
  if (Array.isArray(node)) return node.map((item: unknown) => inline(item, root));
  if (node === null || typeof node !== 'object') return node;
  const { $ref, ...rest } = node as JsonSchema & { readonly $ref?: string };
  // Among `properties`, "description" is somebody's key and no annotation.
  const own = Object.fromEntries(
    Object.entries(rest)
      .filter(([key]) => names || !annotations.has(key))
      .map(([key, value]) => [key, inline(value, root, key === 'properties' && !names)]),
  );
  return $ref === undefined || names ? own : { ...own, ...(follow($ref, root) as JsonSchema) };
}

function follow(reference: string, from: JsonSchema): unknown {
  const [file = '', pointer = ''] = reference.split('#');
  const root = file === '' ? from : files[file];
  const steps = pointer.split('/').slice(1);
  const found = steps.reduce<unknown>((node, step) => (node as JsonSchema | undefined)?.[step], root);
  if (found === undefined) throw new Error(`schemas/ has no ${reference}`);
  return inline(found, root!);
}
