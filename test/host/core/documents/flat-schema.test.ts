import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../host/api/result.ts';
import { fitsFlatSchema } from '../../../../host/core/documents/flat-schema.ts';
import { validatorOf } from '../../../../host/core/documents/schema.ts';

const flat: JsonSchema = {
  type: 'object',
  properties: {
    word: { type: 'string', description: 'A word', minLength: 1, maxLength: 4 },
    count: { type: 'integer', minimum: 0, maximum: 9, default: 3 },
    ratio: { type: 'number', exclusiveMinimum: 0 },
    mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
    tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, maxItems: 2 },
    loud: { type: 'boolean' },
  },
  required: ['word'],
  additionalProperties: false,
};
const values: readonly unknown[] = [
  'a',
  '',
  'abcde',
  '🎈🎈🎈',
  'b',
  0,
  3,
  9,
  10,
  -1,
  1.5,
  true,
  null,
  ['x'],
  ['x', 'y', 'x'],
  [1],
  {},
];

test('the quick check never says yes where ajv says no, and fills in the same defaults', async () => {
  const validate = await validatorOf(flat);
  let yes = 0;
  for (const name of [...Object.keys(flat['properties'] as object), 'other', 'toString']) {
    for (const value of values) {
      const [quick, exact] = [
        { word: 'a', [name]: value },
        { word: 'a', [name]: value },
      ];
      const fits = fitsFlatSchema(quick, flat, 'filled');
      const problems = validate(exact);
      if (fits) {
        yes++;
        expect(problems, `${name}: ${JSON.stringify(value)}`).toEqual([]);
        expect(quick).toEqual(exact);
      }
    }
  }
  expect(yes).toBeGreaterThan(10);
  expect(fitsFlatSchema({}, flat, 'filled')).toBe(false);
});

test.each([
  ['a pattern', { properties: { a: { type: 'string', pattern: '^a' } } }],
  ['a format', { properties: { a: { type: 'string', format: 'email' } } }],
  ['an object inside', { properties: { a: { type: 'object' } } }],
  ['a list of lists', { properties: { a: { type: 'array', items: { type: 'array' } } } }],
  ['a reference', { properties: { a: { $ref: '#/$defs/a' } } }],
  ['no type', { properties: { a: {} } }],
  ['alternatives', { anyOf: [{ required: ['a'] }] }],
  ['a schema for other keys', { additionalProperties: { type: 'string' } }],
])('%s is left to ajv', (_, schema) => {
  expect(fitsFlatSchema({ a: 'a' }, { type: 'object', ...schema }, 'filled')).toBe(false);
});
