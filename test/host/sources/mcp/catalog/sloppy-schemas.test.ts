import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../../host/api/result.ts';
import { schemaProblem } from '../../../../../host/core/documents/schema.ts';
import { seemsRe2 } from '../../../../../host/sources/mcp/catalog/pattern-risk.ts';
import { uncheckableReason } from '../../../../../host/sources/mcp/catalog/schema-risk.ts';
import { pegboard, pegboardJson } from '../../../../kit/cli.ts';
import { homeWithAnswers, serveRaw } from '../../../../kit/mcp/verbatim.ts';

const a = (property: unknown, more: object = {}): object => ({ properties: { a: property }, ...more });
const draft7 = 'http://json-schema.org/draft-07/schema#';
const large = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`p${i}`, { type: 'string' }]));
let deep: object = { type: 'string' };
for (let level = 0; level < 30; level++) deep = { type: 'array', items: deep };

/** Schemas that no validator accepts, all from real servers or similar to such. */
const broken: { readonly [name: string]: object } = {
  boolean_exclusive: a({ type: 'number', minimum: 0, exclusiveMinimum: true }),
  boolean_exclusive_max: a({ type: 'number', exclusiveMaximum: false }),
  required_flag: a({ type: 'string', required: true }),
  required_text: a({ type: 'string' }, { required: 'a' }),
  type_any: a({ type: 'any' }),
  type_upper: a({ type: 'STRING' }),
  type_none: a({ type: null }),
  type_list_empty: a({ type: [] }),
  type_list_unknown: a({ type: ['string', 'date'] }),
  items_list: a({ type: 'array', items: [{ type: 'string' }] }),
  items_text: a({ type: 'array', items: 'string' }),
  enum_empty: a({ type: 'string', enum: [] }),
  enum_map: a({ enum: { a: 1 } }),
  ref_nowhere: a({ $ref: '#/$defs/nowhere' }),
  ref_definitions: a({ $ref: '#/definitions/Item' }, { $defs: { Item: { type: 'string' } } }),
  ref_broken: a({ $ref: '#/$defs/%E0%A4%A' }),
  ref_number: a({ $ref: 7 }),
  ref_outside: a({ $ref: 'https://example.com/schema.json' }),
  pattern_end: a({ type: 'string', pattern: '^a\\Z' }),
  pattern_ahead: a({ type: 'string', pattern: '^(?!x).*$' }),
  pattern_open: a({ type: 'string', pattern: '([a-z' }),
  pattern_bare: a({ type: 'string', pattern: '(' }),
  pattern_names: a({ type: 'object', patternProperties: { '^x-(': { type: 'string' } } }),
  pattern_number: a({ type: 'string', pattern: 5 }),
  pattern_slashes: a({ type: 'string', pattern: '(?P<n>a)(?P=n)' }),
  properties_list: { properties: [{ name: 'a' }] },
  properties_null: { properties: null },
  property_text: a('string'),
  property_null: a(null),
  any_of_empty: a({ anyOf: [] }),
  any_of_map: a({ anyOf: { type: 'string' } }),
  one_of_null: a({ oneOf: null }),
  all_of_texts: a({ allOf: ['string'] }),
  min_text: a({ type: 'number', minimum: '0' }),
  length_negative: a({ type: 'string', minLength: -1 }),
  unique_text: a({ type: 'array', uniqueItems: 'true' }),
  additional_text: { properties: {}, additionalProperties: 'false' },
  additional_null: a({ type: 'string' }, { additionalProperties: null }),
  id_old: a({ id: 'a', type: 'string' }, { id: 'http://x/y' }),
  id_text: a({ $id: 5 }),
  draft4: a(
    { type: 'number', exclusiveMinimum: true },
    { $schema: 'http://json-schema.org/draft-04/schema#' },
  ),
  dependent: a({ type: 'string' }, { dependentRequired: { a: 'b' } }),
  format_object: a({ type: 'string', format: {} }),
};
/** Schemas that are odd or large, but valid. */
const odd: { readonly [name: string]: object } = {
  unknown_keyword: a({ type: 'string', optional: true, 'x-y': [] }),
  unknown_format: a({ type: 'string', format: 'currency' }),
  items_list_draft7: a({ type: 'array', items: [{ type: 'string' }] }, { $schema: draft7 }),
  property_true: a(true),
  pattern_example: a({ type: 'string', examples: [{ pattern: '(' }] }),
  named_like_keywords: {
    properties: { items: { type: 'string' }, required: {}, enum: {}, type: {}, $ref: {} },
  },
  ref_escaped: a({ $ref: '#/$defs/a~1b%20c' }, { $defs: { 'a/b c': { type: 'string' } } }),
  ref_itself: a({ $ref: '#' }),
  type_list: a({ type: ['string', 'null'] }),
  default_wrong: a({ type: 'integer', default: null }),
  no_properties: {},
};
const shapes = {
  ...broken,
  ...odd,
  too_large: { properties: large },
  deep: a(deep),
  long: a({ description: 'x'.repeat(70_000) }),
};
const tools = Object.entries(shapes).map(([name, schema]) => ({
  name,
  description: name,
  inputSchema: { type: 'object', ...schema },
}));
/** Those on which strict clients would refuse the whole list. */
const object = { type: 'object' };
const strict: { readonly [name: string]: object } = {
  required_text: { ...object, properties: { a: { type: 'string' } } },
  properties_list: object,
  properties_null: object,
  property_text: { ...object, properties: { a: {} } },
  property_null: { ...object, properties: { a: {} } },
  property_true: { ...object, properties: { a: {} } },
};
const answers = { 'tools/list': JSON.stringify({ tools }) };
const argsFor = (name: string): object =>
  name === 'ref_itself'
    ? { a: {} }
    : name === 'items_list_draft7' || name === 'deep'
      ? { a: [] }
      : name === 'default_wrong'
        ? {}
        : { a: 'x' };

test('every tool with a schema that does not compile is offered, called unchecked, and reported', async () => {
  await using home = await homeWithAnswers(answers);
  await using client = await serveRaw(home, ['--mode', 'direct', '--preset', 'up']);
  const { result } = await client.request('tools/list');
  expect(result.tools.map((tool: { name: string }) => tool.name)).toEqual(
    tools.map(({ name }) => `up__${name}`),
  );
  for (const [at, { name, inputSchema }] of tools.entries())
    expect(result.tools[at].inputSchema, name).toEqual(strict[name] ?? inputSchema);
  for (const { name } of tools) {
    const called = await client.request('tools/call', { name: `up__${name}`, arguments: argsFor(name) });
    expect(called.result, `${name}: ${JSON.stringify(called)}`).not.toHaveProperty('isError');
  }
  const { diagnostics } = await pegboardJson<{ diagnostics: { message: string }[] }>(['tools'], {
    home: home.path,
  });
  for (const name of [...Object.keys(broken), 'too_large', 'long']) {
    const told = diagnostics.some(({ message }) =>
      message.includes(`tool "${name}": its arguments are left to the server`),
    );
    expect(told, name).toBe(true);
  }
});

test('nothing that looks at schemas stumbles over them', async () => {
  await using home = await homeWithAnswers(answers);
  await using client = await serveRaw(home, ['--mode', 'compact', '--preset', 'up']);
  expect((await client.request('tools/list')).result.tools).toHaveLength(tools.length + 1);
  for (const args of [
    ['search', 'a', '--json'],
    ['schema', 'up'],
    ['show', 'up.properties_null'],
    ['inject', '--json'],
    ['call', 'up.type_any', 'a=1'],
  ])
    expect(await pegboard(args, { home: home.path }), args.join(' ')).toMatchObject({ code: 0 });
});

test('what a look at a schema finds is what the compiler finds', async () => {
  for (const [name, schema] of Object.entries({ ...broken, ...odd })) {
    const whole = { type: 'object', ...schema } as JsonSchema;
    const isBroken = (await schemaProblem(whole)) !== undefined;
    if (isBroken) expect(uncheckableReason(whole), name).toBeTypeOf('string');
    if (name in odd) expect(uncheckableReason(whole), name).toBeUndefined();
  }
});

test('a look at a pattern finds what RE2 finds', async () => {
  const wrong = (pattern: string): boolean => !seemsRe2(pattern);
  const patterns = [
    '(',
    'a)',
    '[a',
    'a**',
    '[b-a]',
    '(?<n',
    '\\',
    'a{1001}',
    'a{2,1}',
    '[]',
    '[^]',
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',

    '\\u00e9',
    '\\u{41}',
    '\\cA',
    '\\e',
    '\\Z',
    '\\k<n>',
    '\\p{Letter}',
    '\\h',
    '(?P=n)',
    '(?>a)',

    '',
    '^[\\w\\s-]+$',
    '^\\S+@\\S+\\.\\S+$',
    '\\/\\-\\_',
    'a{1000}',
    'a{,5}',
    '{',
    '(?i)a',
    '(?i:a)b',
    '(?P<n>a)',
    '(?<n>a)',

    '\\x41',
    '\\pL',
    '\\p{L}',
    '\\p{Lu}',
    '\\p{Greek}',
    '\\P{Han}',
    '\\Aa\\z',
    '[[:alpha:]]',
    '[\\w-.]',
    '\\b\\B',
    '[(]',
    '\\[',

    '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    '^(?:https?://)?[^/]+(/.*)?$',
  ];
  for (const pattern of patterns) {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern } } };
    expect([pattern, wrong(pattern)]).toEqual([pattern, (await schemaProblem(schema)) !== undefined]);
  }
});
