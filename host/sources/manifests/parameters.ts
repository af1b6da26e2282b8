import type { JsonSchema } from '../../api/result.ts';
import type { CommandParameter } from './command/template/template.ts';
import type { ManifestParameter, WrittenManifest } from '../../formats/tool.ts';
import type { DeclaredParameters } from './http/load-request.ts';

/** Converts `parameters` to the JSON Schema that models and callers see. */
export function toSchema(parameters: readonly ManifestParameter[]): JsonSchema {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, toProperty(parameter)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * For an array, `enum` and `pattern` apply to its items. Built without spreading, since thousands are created at
 * startup.
 */
export function toProperty(parameter: ManifestParameter): JsonSchema {
  const { type, description, enum: allowed, pattern, items, minimum, maximum } = parameter;
  const property: Record<string, unknown> = { type };
  if (description !== undefined) property['description'] = description;
  const values = type === 'array' ? { ...(items ?? { type: 'string' }) } : property;
  if (values !== property) property['items'] = values;
  if (allowed) values['enum'] = allowed;
  if (pattern !== undefined) values['pattern'] = pattern;
  if (minimum !== undefined) values['minimum'] = minimum;
  if (maximum !== undefined) values['maximum'] = maximum;
  if (parameter.default !== undefined) property['default'] = parameter.default;
  return property;
}

/** The parameters that a command template may use, whether declared by `parameters` or `inputSchema`. */
export function commandParameters(
  parameters: readonly ManifestParameter[] | undefined,
  inputSchema: JsonSchema | undefined,
): readonly CommandParameter[] {
  if (parameters) return parameters;
  const properties = (inputSchema?.['properties'] ?? {}) as { readonly [name: string]: JsonSchema };
  return Object.entries(properties).map(([name, property]) => {
    const { enum: allowed, items } = property;
    const type = property['type'];
    return {
      name,
      ...(typeof type === 'string' && { type: type as NonNullable<CommandParameter['type']> }),
      ...(Array.isArray(allowed) && type !== 'array' && { enum: allowed as unknown[] }),
      ...(typeof items === 'object' && { items: items as JsonSchema }),
    };
  });
}

/** The parameters that a request may use. */
export function declaredParameters({ parameters, inputSchema }: WrittenManifest): DeclaredParameters {
  const schema = inputSchema ?? toSchema(parameters ?? []);
  const properties = Object.entries((schema['properties'] ?? {}) as { readonly [name: string]: unknown });
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const given = properties.flatMap(([name, property]) =>
    required.includes(name) || (property as JsonSchema | null)?.['default'] !== undefined ? [name] : [],
  );
  return { names: new Set(properties.map(([name]) => name)), given: new Set(given) };
}
