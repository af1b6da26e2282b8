import { expect, test } from 'vitest';
import { schemaProblem, validatorOf } from '../../../../host/core/documents/schema.ts';

test.for([
  [{ type: 'strin' }, /"strin" is not a type; types are string, .*null$/],
  [{ enum: [] }, /"enum" must list at least one value$/],
  [{ required: 'b' }, /"required" must be of type array$/],
  [{ minLength: 'b' }, /"minLength" must be of type number$/],
  [{ $ref: '#/$defs/b' }, /the reference "#\/\$defs\/b" leads nowhere$/],
  [{ pattern: '(' }, /a pattern is not valid \(RE2: .*\): missing closing/],
  [{ pattern: '(?=b)' }, /a pattern is not valid \(RE2: no look-around/],
] as const)('%j is explained in words', async ([a, expected]) => {
  const problem = await schemaProblem({ type: 'object', properties: { a } });
  expect(problem).toMatch(/^the schema can't be used: /);
  expect(problem).toMatch(expected);
});

test('a problem is named once', async () => {
  const validate = await validatorOf({ type: 'object', properties: { a: { type: 'integer' } } });
  expect(validate({ a: 0.5 }).map(({ message }) => message)).toEqual(['"a" must be of type integer']);
});
