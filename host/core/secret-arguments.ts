import type { JsonSchema } from '../api/result.ts';

/** What stands in the place of a secret argument wherever arguments are recorded or shown. */
const hidden = '[secret]';

const known = new WeakMap<JsonSchema, readonly string[]>();

/** Parameters that JSON Schema's `writeOnly` marks: nothing may give their values back. */
function secretParameters(schema: JsonSchema): readonly string[] {
  let names = known.get(schema);
  if (!names) {
    const properties = (schema['properties'] ?? {}) as { readonly [name: string]: unknown };
    names = Object.entries(properties)
      .filter(([, property]) => (property as JsonSchema | null)?.['writeOnly'] === true)
      .map(([name]) => name);
    known.set(schema, names);
  }
  return names;
}

/** The texts among them, by parameter. */
export function secretArguments(schema: JsonSchema, args: unknown): readonly (readonly [string, string])[] {
  const names = secretParameters(schema);
  if (names.length === 0 || typeof args !== 'object' || args === null) return [];
  const given = args as { readonly [name: string]: unknown };
  return names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]] as const] : []));
}

/** The same arguments without them. */
export function hideSecretArguments(schema: JsonSchema, args: unknown): unknown {
  const names = secretParameters(schema);
  if (names.length === 0 || typeof args !== 'object' || args === null) return args;
  const given = args as { readonly [name: string]: unknown };
  return {
    ...given,
    ...Object.fromEntries(names.flatMap((name) => (name in given ? [[name, hidden]] : []))),
  };
}
