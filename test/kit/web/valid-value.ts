import type { JsonSchema } from '../../../host/api/result.ts';

/** Levels of a schema that refers to itself. */
const maxDepth = 4;

const formats: { readonly [format: string]: string } = {
  date: '2026-11-25',
  'date-time': '2026-11-25T10:00:00Z',
  time: '10:00:00Z',
  email: 'anna@example.org',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  uri: 'https://example.org/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** A value that the schema allows, with every member that it names. */
export function validValue(schema: JsonSchema | boolean, root: JsonSchema, depth = 0): unknown {
  if (typeof schema === 'boolean') return 'anything';
  const { $ref, allOf, anyOf, oneOf, enum: values, const: only, ...own } = schema;
  if (typeof $ref === 'string') {
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, step) => (at as { readonly [key: string]: unknown })[step], root);
    return validValue({ ...(target as JsonSchema), ...own }, root, depth + 1);
  }
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values.find((value) => value !== null);
  const parts = (allOf as readonly JsonSchema[] | undefined)?.map((part) => validValue(part, root, depth));
  if (parts) return Object.assign({}, ofType(own, root, depth), ...parts) as object;
  const branches = ((anyOf ?? oneOf) as readonly JsonSchema[] | undefined)?.filter(
    ({ type }) => type !== 'null',
  );
  if (branches) {
    const { properties = {}, required = [], ...branch } = branches[0]!;
    const merged = {
      ...own,
      ...branch,
      properties: { ...(own['properties'] as object | undefined), ...(properties as object) },
      required: [...((own['required'] as readonly string[] | undefined) ?? []), ...(required as string[])],
    };
    return validValue(
      branch['type'] === undefined && !('properties' in own) ? branches[0]! : merged,
      root,
      depth,
    );
  }
  return ofType(own, root, depth);
}

function ofType(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const type = [schema['type']].flat().find((one) => one !== 'null');
  const number = (name: string): number | undefined => schema[name] as number | undefined;
  switch (type ?? ('properties' in schema ? 'object' : 'string')) {
    case 'integer':
    case 'number':
      return (
        number('minimum') ??
        (number('exclusiveMinimum') === undefined
          ? (number('maximum') ?? 1)
          : number('exclusiveMinimum')! + 1)
      );
    case 'boolean':
      return true;
    case 'array': {
      const items = (schema['items'] ?? {}) as JsonSchema;
      return depth > maxDepth
        ? []
        : Array.from({ length: Math.max(1, number('minItems') ?? 1) }, () =>
            validValue(items, root, depth + 1),
          );
    }
    case 'object': {
      const properties = (schema['properties'] ?? {}) as { readonly [name: string]: JsonSchema };
      const required = (schema['required'] ?? []) as readonly string[];
      const names = Object.keys(properties).filter((name) => depth < maxDepth || required.includes(name));
      return Object.fromEntries(names.map((name) => [name, validValue(properties[name]!, root, depth + 1)]));
    }
    default: {
      const text =
        formats[String(schema['format'])] ??
        (typeof schema['default'] === 'string' ? schema['default'] : 'text');
      return text.padEnd(number('minLength') ?? 0, 'x').slice(0, number('maxLength') ?? Infinity);
    }
  }
}
