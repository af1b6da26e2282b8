import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../host/api/result.ts';
import {
  branchesOf,
  isComplete,
  kindOf,
  resolve,
} from '../../../../plugins/builtin-page/page/form/schema.ts';

/** Each would take billions of steps if every reference in it were followed. */
const endless: readonly (readonly [string, JsonSchema])[] = [
  ['allOf of itself', { allOf: Array.from({ length: 50 }, () => ({ $ref: '#' })) }],
  ['anyOf of itself', { anyOf: Array.from({ length: 50 }, () => ({ $ref: '#' })) }],
  ['oneOf of itself and more', { oneOf: [{ $ref: '#' }, { $ref: '#' }, { required: ['x'] }] }],
  ['a reference to itself', { $ref: '#' }],
  [
    'references in a circle',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
  ],
];

test.each(endless)('a form is made of %s in a moment', (_what, root) => {
  const schema = resolve(root, root);
  expect(kindOf(schema, root)).toBeTypeOf('string');
  expect(branchesOf(schema, root)).toBeInstanceOf(Array);
  expect(isComplete(schema, {}, root)).toBeTypeOf('boolean');
});
