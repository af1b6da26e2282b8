import { toJson, type JsonSchema, type RegisteredTool } from 'pegboard';
import { oneLine } from 'pegboard/channels';

/** Levels of a schema; what is deeper is `unknown`. */
const maxDepth = 6;
const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text);
const quoted = (value: unknown): string => (value === undefined ? 'unknown' : toJson(value));

/** How a script calls the tool, as TypeScript: its description, arguments and result. */
export function declarationOf({ id, description, parameters, outputSchema }: RegisteredTool): string {
  const path = id.split('.');
  const result = outputSchema ? typeOf(outputSchema) : 'unknown';
  const args = `args: ${typeOf(parameters)}`;
  const signature = path.every(isName) ? `tools.${id}(${args})` : `call(${quoted(id)}, ${args})`;
  return `${comment(description)}\n${signature}: Promise<${result}>`;
}

function typeOf(schema: unknown, depth = 0): string {
  if (!isObject(schema) || depth > maxDepth) return 'unknown';
  const { type, enum: values, const: only, anyOf, oneOf } = schema;
  if (Array.isArray(values)) return values.map(quoted).join(' | ');
  if (only !== undefined) return quoted(only);
  const some = anyOf ?? oneOf;
  if (Array.isArray(some)) return union(some.map((one) => typeOf(one, depth + 1)));
  if (Array.isArray(type))
    return union(type.map((one) => typeOf({ ...schema, type: one as unknown }, depth)));
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'array': {
      const item = typeOf(schema['items'], depth + 1);
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return objectType(schema, depth);
    default:
      return 'properties' in schema ? objectType(schema, depth) : 'unknown';
  }
}

function objectType({ properties, required, additionalProperties }: JsonSchema, depth: number): string {
  const named = isObject(properties) ? Object.entries(properties) : [];
  const rest = isObject(additionalProperties) ? typeOf(additionalProperties, depth + 1) : 'unknown';
  if (named.length === 0) return additionalProperties === false ? '{}' : `{ [name: string]: ${rest} }`;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = named.map(([name, schema]) => {
    const described =
      isObject(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';
    const key = isName(name) ? name : quoted(name);
    return `${described === '' ? '' : `${comment(described)} `}${key}${names.includes(name) ? '' : '?'}: ${typeOf(schema, depth + 1)}`;
  });
  return `{ ${members.join('; ')} }`;
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'unknown';

const comment = (text: string): string => `/** ${oneLine(text).replaceAll('*/', '* /')} */`;

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
