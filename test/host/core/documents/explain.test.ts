import { expect, test } from 'vitest';
import { validatorOf } from '../../../../host/core/documents/schema.ts';

test.each<[schema: object, value: unknown, message: string]>([
  [{ type: 'string', minLength: 1 }, '', 'must not be empty'],
  [{ type: 'string', minLength: 3 }, 'ab', 'must have at least 3 characters'],
  [{ type: 'string', maxLength: 1 }, 'ab', 'must have at most 1 character'],
  [{ type: 'array', minItems: 1 }, [], 'must have at least 1 entry'],
  [{ type: 'array', maxItems: 2 }, [1, 2, 3], 'must have at most 2 entries'],
  [{ type: 'array', uniqueItems: true }, [1, 1], 'must not have the same entry twice'],
  [{ type: 'array', contains: { const: 1 } }, [2], 'lacks an entry that the schema asks for'],
  [{ type: 'object', minProperties: 2 }, { a: 1 }, 'must have at least 2 entries'],
  [{ type: 'object', propertyNames: { maxLength: 1 } }, { ab: 1 }, 'must not have the key "ab"'],
  [{ type: 'object', dependentRequired: { a: ['b'] } }, { a: 1 }, 'needs "b" as well, because it has "a"'],
  [{ type: 'number', minimum: 2 }, 1, 'must be at least 2'],
  [{ type: 'number', exclusiveMaximum: 2 }, 2, 'must be below 2'],
  [{ type: 'number', multipleOf: 5 }, 3, 'must be a multiple of 5'],
  [{ type: 'string', pattern: '^a+$' }, 'b', 'must match the pattern ^a+$'],
  [{ type: 'string', pattern: '^a+$', examples: ['aa'] }, 'b', 'must look like "aa" (pattern ^a+$)'],
  [{ type: 'string', format: 'date' }, 'soon', 'must be a date such as 2026-11-24'],
  [{ type: 'string', format: 'json-pointer' }, 'soon', 'must be in the format "json-pointer"'],
  [{ const: 'a' }, 'b', 'must be "a"'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, 'has none of the allowed forms'],
  [
    { oneOf: [{ type: 'string' }, { minLength: 1 }] },
    'a',
    'fits more than one of the forms of which exactly one must apply',
  ],
  [{ not: { type: 'string' } }, 'a', 'has a form that is not allowed'],
  [false as unknown as object, 'a', 'must not be given'],
])('%j says of %j: %s', async (schema, value, message) => {
  const validate = await validatorOf({ type: 'object', properties: { it: schema } });
  const said = validate({ it: value }).map((problem) => problem.message);
  expect(said).toContain(`"it" ${message}`);
  expect(said.join('\n')).not.toMatch(/must NOT|schema in|validation/);
});
