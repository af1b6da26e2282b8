import type { JsonSchema } from '../api/result.ts';
import type { SchemaProblem } from '../core/documents/explain.ts';
import { stepsOfPointer } from '../core/documents/pointer.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import { compactSchema } from './injection/compact-schema.ts';

/** Characters of JSON; a shorter schema is shown whole. */
const maxWhole = 2_000;

interface Place {
  readonly steps: readonly string[];
  readonly property: string | undefined;
}

/** The schema itself if it is short or nothing is known; otherwise names and types, and what the problems are about. */
export function partAbout(schema: JsonSchema, problems: readonly SchemaProblem[]): JsonSchema {
  const places = problems.map(({ path, property }) => ({ steps: stepsOfPointer(path), property }));
  const part = partAt(schema, places);
  return part === schema ? schema : { ...part, ...definitionsIn(part, schema) };
}

function partAt(schema: JsonSchema, places: readonly Place[]): JsonSchema {
  const isWhole =
    places.length === 0 || places.some(({ steps, property }) => !steps[0] && property === undefined);
  if (isWhole || toJson(schema).length <= maxWhole) return schema;
  const { properties, items } = schema;
  if (isSchema(items)) return { ...schema, items: partAt(items, places.map(next)) };
  if (!isSchema(properties)) return schema;
  const named = Map.groupBy(places, ({ steps, property }) => steps[0] ?? property!);
  const compact = compactSchema(schema);
  const about = [...named].flatMap(([name, own]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const within = own.filter(({ steps }) => steps.length > 0).map(next);
    return isSchema(property)
      ? [[name, within.length > 0 ? partAt(property, within) : property] as const]
      : [];
  });
  return {
    ...compact,
    properties: { ...(compact['properties'] as JsonSchema), ...Object.fromEntries(about) },
  };
}

const next = ({ steps, property }: Place): Place => ({ steps: steps.slice(1), property });

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The definitions of the whole schema to which the part refers, and these to each other. */
function definitionsIn(part: JsonSchema, whole: JsonSchema): JsonSchema {
  const found: { [key: string]: { [name: string]: unknown } } = {};
  const texts = [toJson(part)];
  for (const text of texts) {
    for (const [, key = '', name = ''] of text.matchAll(/"\$ref":"#\/(\$defs|definitions)\/([^"/]+)"/g)) {
      const all = whole[key];
      if (!isSchema(all) || !Object.hasOwn(all, name) || found[key]?.[name] !== undefined) continue;
      (found[key] ??= {})[name] = all[name];
      texts.push(toJson(all[name]));
    }
  }
  return found;
}
