import type { JsonSchema } from '../../../host/api/result.ts';

const text = { type: 'string' } as const;
const object = (properties: object, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

/** Shapes of arguments that tools of others have: references, variants, null, nesting, tuples, maps, limits. */
export const knownShapes: readonly JsonSchema[] = [
  // pydantic: references and null.
  {
    ...object({ user: { $ref: '#/$defs/User' } }, ['user']),
    $defs: {
      User: object({ name: text, age: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null } }, [
        'name',
      ]),
    },
  },
  {
    ...object({ filter: { anyOf: [{ $ref: '#/$defs/F' }, { type: 'null' }], default: null } }),
    $defs: { F: object({ key: text, values: { type: 'array', items: text } }, ['key']) },
  },
  {
    ...object({ level: { allOf: [{ $ref: '#/definitions/Level' }], default: 'info' } }),
    definitions: { Level: { enum: ['debug', 'info'], type: 'string' } },
  },
  {
    ...object({ node: { $ref: '#/$defs/Node' } }, ['node']),
    $defs: { Node: object({ value: text, next: { $ref: '#/$defs/Node' } }, ['value']) },
  },
  // zod: variants with a constant, records, tuples, nullable.
  {
    type: 'object',
    anyOf: [
      object({ kind: { const: 'path' }, path: text }, ['kind', 'path']),
      object({ kind: { const: 'url' }, url: { ...text, format: 'uri' } }, ['kind', 'url']),
    ],
  },
  { type: 'object', oneOf: [object({ id: { type: 'integer' } }, ['id']), object({ name: text }, ['name'])] },
  { type: 'object', properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  object(
    {
      target: { oneOf: [object({ file: text }, ['file']), object({ line: { type: 'integer' } }, ['line'])] },
    },
    ['target'],
  ),
  object({ headers: { type: 'object', additionalProperties: text } }),
  object({ pair: { type: 'array', prefixItems: [text, { type: 'number' }], items: text } }),
  object({ limit: { type: ['integer', 'null'], minimum: 1, maximum: 100 } }),
  object({ value: { anyOf: [text, { type: 'number' }, { type: 'boolean' }] } }, ['value']),
  // JSON Schema of APIs: limits, formats, depth.
  object(
    {
      id: { ...text, format: 'uuid' },
      since: { ...text, format: 'date-time' },
      mail: { ...text, format: 'email' },
    },
    ['id'],
  ),
  object(
    { a: object({ b: object({ c: object({ d: object({ e: text }, ['e']) }, ['d']) }, ['c']) }, ['b']) },
    ['a'],
  ),
  object(
    {
      title: { ...text, minLength: 3, maxLength: 80 },
      labels: { type: 'array', items: text, maxItems: 5, uniqueItems: true },
    },
    ['title'],
  ),
  object({ amount: { type: 'number', exclusiveMinimum: 0, multipleOf: 1 } }, ['amount']),
  object(
    {
      points: { type: 'array', items: object({ x: { type: 'number' }, y: { type: 'number' } }, ['x', 'y']) },
    },
    ['points'],
  ),
  object({ ids: { type: 'array', items: { type: 'integer' }, minItems: 2 } }, ['ids']),
  object({ 'odd name': text, 'a/b': text, 'c~d': text, 'ü.ö': text }, ['odd name', 'a/b', 'c~d']),
  object({
    state: {
      oneOf: [
        { const: 'open', title: 'Open ones' },
        { const: 'closed', title: 'Closed ones' },
      ],
    },
  }),
  object({ mode: { enum: [1, 2, true, null, 'x'] } }),
  object({ secret: { ...text, format: 'password' }, note: { ...text, writeOnly: true } }, ['secret']),
  {
    allOf: [
      object({ owner: text, repo: text }, ['owner', 'repo']),
      object({ issue: { type: 'integer' } }, ['issue']),
    ],
    type: 'object',
  },
  object({ anything: {}, yes: true as unknown as object }),
  object({ query: text, options: object({ deep: { type: 'boolean' }, sort: { enum: ['asc', 'desc'] } }) }, [
    'query',
  ]),
  object({ matrix: { type: 'array', items: { type: 'array', items: { type: 'number' } } } }),
  object(
    { lang: { ...text, enum: ['en', 'de'], default: 'en' }, size: { type: 'integer', enum: [1, 2, 3] } },
    ['lang'],
  ),
  object({ config: { type: 'object' } }, ['config']),
  object({ reply: { anyOf: [{ type: 'null' }, object({ to: text }, ['to'])] } }),
  object({ parent: { anyOf: [{ type: 'null' }, text] } }, ['parent']),
];
