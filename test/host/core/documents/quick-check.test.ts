import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../host/api/result.ts';
import { passesQuickCheck } from '../../../../host/core/documents/quick-check.ts';
import { validatorOf } from '../../../../host/core/documents/schema.ts';
import { schemas } from '../../../../tools/schemas.ts';

type Members = { [key: string]: unknown };

/** Values that may be anywhere by mistake. */
const odd: readonly unknown[] = [
  null,
  true,
  '',
  'other',
  '${NAME}',
  'a'.repeat(70),
  -1,
  0,
  1.5,
  1e9,
  [],
  [''],
  ['a', 1],
  {},
  { a: 1 },
  { a: 'b' },
];

/** The value with each of its parts left out, or replaced by something odd, or with a key beside it. */
function* changesOf(value: unknown): Generator<unknown> {
  yield* odd;
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      for (const changed of changesOf(item)) yield value.with(at, changed);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    const { [key]: _, ...rest } = value as Members;
    yield rest;
    for (const changed of changesOf(member)) yield { ...value, [key]: changed };
  }
  yield { ...value, unknown: 1 };
}

/** A value with every key of the schema, as far as possible. */
function filled(schema: JsonSchema): unknown {
  const { type, properties, items, anyOf, enum: values, examples, minimum } = schema;
  if (values) return (values as readonly unknown[])[0];
  if (anyOf) return filled((anyOf as readonly JsonSchema[]).at(-1)!);
  if (properties) {
    const members = Object.entries(properties as { readonly [name: string]: JsonSchema });
    return Object.fromEntries(members.map(([name, part]) => [name, filled(part)]));
  }
  if (typeof schema['additionalProperties'] === 'object')
    return { name: filled(schema['additionalProperties'] as JsonSchema) };
  if (items) return [filled(items as JsonSchema)];
  const byType: Members = {
    string: 'https://a',
    number: 1,
    integer: minimum ?? 1,
    boolean: true,
    array: ['a'],
  };
  return (examples as readonly unknown[] | undefined)?.[0] ?? byType[String([type].flat()[0])] ?? {};
}

test.each(Object.entries(schemas))('%s: what is certainly right is right to ajv too', async (_, whole) => {
  const schema = whole as JsonSchema;
  const validate = await validatorOf(schema, 'left');
  const [example] = schema['examples'] as readonly unknown[];
  expect(passesQuickCheck(example, schema)).toBe(true);
  let certain = 0;
  for (const value of [...changesOf(example), ...changesOf(filled(schema))]) {
    if (!passesQuickCheck(value, schema)) continue;
    certain++;
    expect(validate(value), JSON.stringify(value)).toEqual([]);
  }
  expect(certain).toBeGreaterThan(5);
});
