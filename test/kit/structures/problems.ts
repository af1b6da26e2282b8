import type { JsonObject, JsonSchema } from '../../../host/api/result.ts';
import { validatorOf } from '../../../host/core/documents/schema.ts';

const strict = new WeakMap<JsonSchema, JsonSchema>();

/** Why a structure isn't what its tool declares. A member that the schema doesn't name is a mistake too. */
export async function structureProblems(schema: JsonSchema, structured: unknown): Promise<readonly string[]> {
  let closed = strict.get(schema);
  if (!closed) strict.set(schema, (closed = closedSchema(schema) as JsonSchema));
  const problems = (await validatorOf(closed, 'left'))(structured);
  return problems.map(({ message }) => message);
}

function closedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([key, value]) => [key, closedSchema(value)] as const);
  const { properties } = schema as JsonObject;
  const isObject = typeof properties === 'object' && (schema as JsonObject)['type'] === 'object';
  return { ...(isObject && { additionalProperties: false }), ...Object.fromEntries(members) };
}
