import { listOf, type Members, membersOf, pointerTo, trimmedText } from 'pegboard/kit';
import type { ApiDocument } from './api-document.ts';

/**
 * What a schema with a discriminator may be: each of its choices, or of the schemas that extend it, with the names that
 * the member may have then. None for any other schema. `resolved`: as the document has it; `schema`: with its allOf.
 */
export function kindsOf(
  resolved: Members,
  schema: Members,
  { root, resolve }: ApiDocument,
): readonly Members[] {
  const discriminator = membersOf(schema['discriminator']);
  const member = trimmedText(discriminator['propertyName']);
  if (member === '') return [];
  const mapping = Object.entries(membersOf(discriminator['mapping']));
  const isMapped = (target: unknown, reference: string): boolean =>
    target === reference || `#/components/schemas/${String(target)}` === reference;
  const toKind = (reference: string, beside: readonly Members[] = []): Members => {
    const named = mapping.filter(([, target]) => isMapped(target, reference)).map(([name]) => name);
    const names = named.length > 0 ? named : [reference.slice(reference.lastIndexOf('/') + 1)];
    return {
      allOf: [
        ...beside,
        { $ref: reference },
        { properties: { [member]: { type: 'string', enum: names } }, required: [member] },
      ],
    };
  };
  const choices = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].map(membersOf);
  if (choices.length > 0) {
    const { properties, required } = schema;
    const beside =
      properties === undefined ? [] : [{ properties, ...(required !== undefined && { required }) }];
    return choices.map((choice) =>
      trimmedText(choice['$ref']) === '' ? choice : toKind(trimmedText(choice['$ref']), beside),
    );
  }
  const all = Object.entries(membersOf(membersOf(root['components'])['schemas']));
  return all
    .filter(([, other]) => listOf(membersOf(other)['allOf']).some((part) => isSame(resolved, part, resolve)))
    .map(([name]) => toKind(`#${pointerTo('components', 'schemas', name)}`));
}

function isSame(schema: Members, part: unknown, resolve: ApiDocument['resolve']): boolean {
  if (typeof membersOf(part)['$ref'] !== 'string') return false;
  try {
    const found = resolve(part);
    return (
      found === schema || (found['properties'] !== undefined && found['properties'] === schema['properties'])
    );
  } catch {
    // It refers to another file, or to nothing.
    return false;
  }
}
