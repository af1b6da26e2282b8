import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { readApi } from '../../../../../plugins/builtin-import/tools/openapi/read-api.ts';
import { renderManifest } from '../../../../../plugins/builtin-import/tools/render-manifest.ts';
import type { ToolPlan } from '../../../../../plugins/builtin-import/tools/tool-plan.ts';
import { createHost } from '../../../../../host/create-host.ts';
import type { JsonObject } from '../../../../../host/api/result.ts';
import { createHome } from '../../../../kit/homes/home.ts';
import { openWebServer } from '../../../../kit/servers/web-server.ts';

const planOf = (server: string, operation: object, components: object, method: string): Promise<ToolPlan> =>
  readApi(
    {
      from: 'api.json',
      value: {
        openapi: '3.1.0',
        info: { title: 'Garage' },
        servers: [{ url: server }],
        components,
        paths: { '/x/{id}': { [method]: { operationId: 'go', ...operation } } },
      },
    },
    { space: 'a', server: undefined, tags: [], paths: [], only: [], limit: 10 },
  );

/** What a server gets when the tool of the operation is called, and what the import left out. */
async function sent(operation: object, args: JsonObject, { components = {}, method = 'get' } = {}) {
  const received: { url: string; cookie: string | undefined; body: string }[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received.push({
      url: request.url!,
      cookie: request.headers.cookie,
      body: Buffer.concat(chunks).toString(),
    });
    response.end('ok');
  }
  await using server = await openWebServer((request, response) => void answer(request, response));
  const { tools, leftOut } = await planOf(server.url, operation, components, method);
  const notTaken = [...leftOut, ...tools.flatMap((tool) => tool.notTaken ?? [])];
  const [tool] = tools;
  if (tool === undefined) return { notTaken, error: undefined };
  await using home = await createHome({ 'spaces/a/agent/tools/go.md': renderManifest(tool, 'test') });
  await using host = await createHost({ home: home.path, mcp: 'off', environment: {} });
  const ask = async () => ({ action: 'accept' }) as const;
  const call = {
    name: 'a.go',
    args: { id: '1', ...args },
    scope: host.scopeFor(undefined),
    caller: 'test',
    ask,
  };
  const { error } = await host.dispatch(call);
  return { ...received[0], notTaken, error };
}

const list = { type: 'array', items: { type: 'string' } };
const place = {
  type: 'object',
  required: ['x'],
  properties: { x: { type: 'integer' }, y: { type: 'integer' } },
};
const inQuery = (more: object): object => ({ parameters: [{ name: 'p', in: 'query', ...more }] });

test.for<[string, object, JsonObject, string]>([
  ['form list', inQuery({ schema: list }), { p: ['a', 'b'] }, '/x/1?p=a&p=b'],
  ['form list, not exploded', inQuery({ schema: list, explode: false }), { p: ['a', 'b'] }, '/x/1?p=a,b'],
  ['pipes', inQuery({ schema: list, style: 'pipeDelimited' }), { p: 'a|b' }, '/x/1?p=a%7Cb'],
  [
    'pipes, exploded',
    inQuery({ schema: list, style: 'pipeDelimited', explode: true }),
    { p: ['a'] },
    '/x/1?p=a',
  ],
  [
    'spaces',
    inQuery({ schema: list, style: 'spaceDelimited', required: true }),
    { p: 'a b' },
    '/x/1?p=a%20b',
  ],
  ['form object', inQuery({ schema: place, required: true }), { x: 1, y: 2 }, '/x/1?x=1&y=2'],
  [
    'form object by allOf',
    inQuery({ schema: { allOf: [place, { properties: { z: { type: 'string' } } }] } }),
    { x: 1, z: 'a' },
    '/x/1?x=1&z=a',
  ],
  ['deep object', inQuery({ schema: place, style: 'deepObject' }), { p: { x: 1 } }, '/x/1?p%5Bx%5D=1'],
  [
    'JSON object',
    inQuery({ content: { 'application/json': { schema: place } } }),
    { p: { x: 1 } },
    '/x/1?p=%7B%22x%22%3A1%7D',
  ],
  [
    'JSON list',
    inQuery({ content: { 'application/json': { schema: list } } }),
    { p: '["a"]' },
    '/x/1?p=%5B%22a%22%5D',
  ],
])('a query of OpenAPI is sent as its style says: %s', async ([, operation, args, url]) => {
  expect(await sent(operation, args)).toMatchObject({ url, notTaken: [], error: undefined });
});

test('cookies are sent, and no value begins another one', async () => {
  const cookie = (name: string): object => ({
    name,
    in: 'cookie',
    required: true,
    schema: { type: 'string' },
  });
  const operation = { parameters: [cookie('session'), cookie('theme')] };
  expect((await sent(operation, { session: 'a1', theme: 'dark' })).cookie).toBe('session=a1; theme=dark');
  expect((await sent(operation, { session: 'a; admin=1', theme: 'dark' })).error?.code).toBe(
    'PEG_INVALID_ARGUMENTS',
  );
});

test('what a tool can not send is named, and leaves the tool out where it is required', async () => {
  const optional = [
    { name: 'o', in: 'query', schema: place, explode: false },
    { name: 'free', in: 'query', schema: { type: 'object', additionalProperties: { type: 'string' } } },
    { name: 's', in: 'query', schema: place, style: 'pipeDelimited' },
    { name: 'c', in: 'cookie', schema: { type: 'string' } },
    { name: 'X-O', in: 'header', schema: place },
    { name: 'Host', in: 'header', schema: { type: 'string' } },
  ];
  const body = { content: { 'application/json': { schema: place } } };
  const { notTaken } = await sent({ parameters: optional, requestBody: body }, {});
  expect(notTaken.map(({ what }) => what)).toEqual([
    ...['o', 'free', 's', 'c', 'X-O', 'Host'].map((name) => `the parameter ${name}`),
    'its body',
  ]);
  for (const parameter of optional.filter(({ in: at }) => at !== 'cookie'))
    expect((await sent({ parameters: [{ ...parameter, required: true }] }, {})).notTaken).toEqual([
      { what: 'go', why: expect.stringContaining(`its parameter ${parameter.name} `) },
    ]);
  expect((await sent({ requestBody: { ...body, required: true } }, {})).notTaken).toEqual([
    { what: 'go', why: "it is a GET request with a body, which can't be sent" },
  ]);
});

test('what is sent in another form than the document says is named', async () => {
  const operation = inQuery({ schema: { type: 'string' }, allowReserved: true });
  const { url, notTaken } = await sent(operation, { p: 'a/b' });
  expect([url, notTaken.map(({ what }) => what)]).toEqual([
    '/x/1?p=a%2Fb',
    ['allowReserved of the parameter p'],
  ]);
});

test('members of a form are written as its encoding says', async () => {
  const encoding = {
    events: { style: 'deepObject', explode: true },
    ids: { explode: false },
    at: { contentType: 'application/json' },
    tags: { style: 'pipeDelimited' },
  };
  const schema = {
    type: 'object',
    properties: { events: list, 'plain[]': list, ids: list, at: place, tags: list, deep: place },
  };
  const requestBody = { content: { 'application/x-www-form-urlencoded': { schema, encoding } } };
  const args = { events: ['a', 'b'], plain: ['c'], ids: '1,2', at: '{"x":1}', tags: 't|u', deep: { x: 3 } };
  const { body, error } = await sent({ requestBody }, args, { method: 'post' });
  expect(error).toBeUndefined();
  expect([...new URLSearchParams(body)]).toEqual([
    ['events[]', 'a'],
    ['events[]', 'b'],
    ['plain[]', 'c'],
    ['ids', '1,2'],
    ['at', '{"x":1}'],
    ['tags', 't|u'],
    ['deep[x]', '3'],
  ]);
});

const base = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string' }, name: { type: 'string' } },
};
const car = { type: 'object', required: ['doors'], properties: { doors: { type: 'integer' } } };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

test.for<[string, object]>([
  [
    'by allOf',
    {
      Vehicle: {
        ...base,
        discriminator: { propertyName: 'kind', mapping: { car: '#/components/schemas/Car' } },
      },
      Car: { allOf: [ref('Vehicle'), car] },
      bike: { allOf: [ref('Vehicle'), { properties: { gears: { type: 'integer' } } }] },
    },
  ],
  [
    'by oneOf',
    {
      Vehicle: {
        oneOf: [ref('Car'), ref('bike')],
        discriminator: { propertyName: 'kind', mapping: { car: 'Car' } },
      },
      Car: { allOf: [base, car] },
      bike: { allOf: [base, { properties: { gears: { type: 'integer' } } }] },
    },
  ],
])('every kind of a schema with a discriminator can be sent: %s', async ([, schemas]) => {
  const operation = {
    requestBody: { required: true, content: { 'application/json': { schema: ref('Vehicle') } } },
  };
  const send = (body: JsonObject) => sent(operation, { body }, { components: { schemas }, method: 'post' });
  const value = { kind: 'car', name: 'Ada', doors: 4 };
  expect(JSON.parse((await send(value)).body!)).toEqual(value);
  expect(JSON.parse((await send({ kind: 'bike', gears: 3 })).body!)).toEqual({ kind: 'bike', gears: 3 });
  for (const wrong of [{ kind: 'boat' }, { kind: 'car', name: 'x' }, { doors: 4 }])
    expect((await send(wrong)).error?.code).toBe('PEG_INVALID_ARGUMENTS');
});
