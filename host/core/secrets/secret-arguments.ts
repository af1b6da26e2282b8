import type { JsonSchema } from '../../api/result.ts';
import { stepsOf } from '../documents/pointer.ts';
import { keepWritten } from '../documents/written-numbers.ts';
import { isSecretParameter } from './secret-names.ts';

/** Replaces a secret argument wherever arguments are recorded or shown. */
export const hidden = '[secret]';

/** Maximum levels of a schema, and of references in a row. */
const maxDepth = 32;

const known = new WeakMap<JsonSchema, boolean>();

/**
 * Whether any of these parameters is secret: marked with JSON Schema's `writeOnly`, or a text named like a password.
 * Their values must never be returned.
 */
export function hasSecrets(schema: JsonSchema): boolean {
  let marked = known.get(schema);
  if (marked === undefined) {
    marked = isMarked(schema, 0);
    known.set(schema, marked);
  }
  return marked;
}

function isMarked(part: unknown, depth: number): boolean {
  if (typeof part !== 'object' || part === null || depth > maxDepth) return false;
  const { writeOnly, properties } = part as JsonSchema;
  const named = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return (
    writeOnly === true ||
    named.some(isSecretParameter) ||
    Object.values(part).some((child) => isMarked(child, depth + 1))
  );
}

/** The secret texts, each with the name of its property. */
export function secretArguments(schema: JsonSchema, args: unknown): readonly (readonly [string, string])[] {
  if (!hasSecrets(schema)) return [];
  const found: [string, string][] = [];
  const collect = (name: string, value: unknown): void => {
    if (typeof value === 'string') found.push([name, value]);
    else if (typeof value === 'object' && value !== null)
      for (const child of Object.values(value)) collect(name, child);
  };
  replaceSecrets(schema, args, (name, value) => {
    collect(name, value);
    return hidden;
  });
  return found;
}

/** The arguments without secrets. If they are not an object, they are hidden as a whole. */
export function hideSecretArguments(schema: JsonSchema, args: unknown): unknown {
  if (!hasSecrets(schema)) return args;
  return typeof args === 'object' ? replaceSecrets(schema, args, () => hidden) : hidden;
}

type Replace = (name: string, value: unknown) => unknown;

/** The list or object with its children mapped by `change`. The same object when none changes. */
export function mapChildren(value: object, change: (child: unknown, key: string) => unknown): object {
  let changed = false;
  const entries = Object.entries(value).map(([key, child]): [string, unknown] => {
    const next = change(child, key);
    changed ||= next !== child;
    return [key, next];
  });
  if (!changed) return value;
  return keepWritten(
    value,
    Array.isArray(value) ? entries.map(([, child]) => child) : Object.fromEntries(entries),
  );
}

/** `args` with each secret value replaced. The same object when there is none. */
function replaceSecrets(root: JsonSchema, args: unknown, replace: Replace): unknown {
  const visit = (schema: unknown, value: unknown, name: string, depth: number): unknown => {
    if (typeof schema !== 'object' || schema === null || depth > maxDepth) return value;
    const part = schema as { readonly [keyword: string]: any };
    if (part['writeOnly'] === true) return replace(name, value);
    let out = value;
    const alternatives = [part['$ref'] && resolve(root, part['$ref'])].concat(
      part['allOf'] ?? [],
      part['anyOf'] ?? [],
      part['oneOf'] ?? [],
    );
    for (const alternative of alternatives) out = visit(alternative, out, name, depth + 1);
    if (typeof out !== 'object' || out === null) return out;
    const { additionalProperties, items } = part;
    // A foreign schema may have values of any type in place of its parts.
    const properties = Object(part['properties']) as JsonSchema;
    const prefixItems = Object(part['prefixItems']) as JsonSchema;
    return mapChildren(out, (child, key) => {
      if (Array.isArray(out)) return visit(prefixItems[key] ?? items, child, name, depth + 1);
      const own: unknown = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
      if (typeof child === 'string' && Object.hasOwn(properties, key) && isSecretParameter(key))
        return replace(key, child);
      return visit(own, child, key, depth + 1);
    });
  };
  return visit(root, args, '', 0);
}

/** The schema that a local reference, such as "#/$defs/login", points to. */
function resolve(root: JsonSchema, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  return stepsOf(reference).reduce<unknown>(
    (part, step) => (part as { readonly [key: string]: unknown } | undefined)?.[step],
    root,
  );
}
