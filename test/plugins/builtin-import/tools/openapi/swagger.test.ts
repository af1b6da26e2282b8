import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { pegboard } from '../../../../kit/cli.ts';
import { createHome } from '../../../../kit/homes/home.ts';
import { openWebServer } from '../../../../kit/servers/web-server.ts';

const list = (name: string, more: object = {}): object => ({
  name,
  in: 'query',
  type: 'array',
  items: { type: 'string' },
  ...more,
});

const document = (host: string): object => ({
  swagger: '2.0',
  info: { title: 'Old Shop', version: '1' },
  host,
  basePath: '/v1',
  schemes: ['http'],
  securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, login: { type: 'basic' } },
  security: [{ key: [] }],
  parameters: { Page: { name: 'page', in: 'query', type: 'integer', maximum: 9 } },
  definitions: {
    Pet: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        size: { type: 'integer', maximum: 10, exclusiveMaximum: true, default: 12345678901234567890n },
        id: { type: 'integer', readOnly: true },
      },
    },
  },
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, type: 'string' }],
      get: {
        operationId: 'getPet',
        parameters: [
          { $ref: '#/parameters/Page' },
          list('many', { collectionFormat: 'multi' }),
          list('commas'),
          list('pipes', { collectionFormat: 'pipes' }),
        ],
      },
      put: {
        operationId: 'putPet',
        parameters: [{ name: 'pet', in: 'body', schema: { $ref: '#/definitions/Pet' } }],
      },
      post: {
        operationId: 'formPet',
        security: [{ login: [] }],
        consumes: ['application/x-www-form-urlencoded'],
        parameters: [{ name: 'name', in: 'formData', type: 'string', required: true }],
      },
    },
    '/files': {
      post: {
        operationId: 'upload',
        consumes: ['multipart/form-data'],
        parameters: [{ name: 'file', in: 'formData', type: 'file' }],
      },
    },
  },
});

const write = (value: object): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `big ${one}` : one)).replaceAll(
    /"big (\d+)"/g,
    '$1',
  );

test('pegboard import openapi makes tools of a Swagger 2.0 document, which send what it says', async () => {
  const sent: object[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
    const { method, url, headers } = request;
    sent.push({ method, url, body, key: headers['x-key'], login: headers.authorization });
    response.end('{}');
  }
  await using server = await openWebServer((request, response) => void answer(request, response));
  await using home = await createHome({ 'shop.json': write(document(server.host)) });
  const env = { LOCALHOST_KEY: 'key-1', LOCALHOST_BASIC_AUTH: 'YWRhOnh5eg==' };
  const run = (...words: string[]) => pegboard(words, { home: home.path, cwd: home.path, env });
  const imported = await pegboard(['import', 'openapi', 'shop.json', '--yes'], {
    home: home.path,
    cwd: home.path,
  });
  expect(imported.code).toBe(0);
  expect(imported.stdout).toContain("upload: its body is multipart/form-data, which can't be sent");
  const put = await home.read('spaces/old-shop/agent/tools/put-pet.md');
  expect(put).toContain('exclusiveMaximum: 10');
  expect(put).not.toMatch(/1234567890|readOnly/);
  await run('call', 'get-pet', 'id=a/b', 'page=2', 'many=["x","y"]', 'commas=["x","y"]', 'pipes=x|y');
  await run('call', 'put-pet', 'id=1', 'name=Rex', 'size=3', '--yes');
  await run('call', 'form-pet', 'id=1', 'name=A & B', '--yes');
  expect(sent).toEqual([
    {
      method: 'GET',
      url: '/v1/pets/a%2Fb?commas=x,y&page=2&many=x&many=y&pipes=x%7Cy',
      body: '',
      key: 'key-1',
    },
    { method: 'PUT', url: '/v1/pets/1', body: '{"name":"Rex","size":3}', key: 'key-1' },
    { method: 'POST', url: '/v1/pets/1', body: 'name=A%20%26%20B', login: 'Basic YWRhOnh5eg==' },
  ]);
});

test.each([
  ['a circle', 'swagger: "2.0"\ndefinitions: &a\n  a: *a\n', "can't be read as OpenAPI 3"],
  ['nothing', '{"swagger": "2.0", "paths": {"/a": {"get": null}}}', "can't be read as OpenAPI 3"],
  ['an older version', '{"swagger": "1.2"}', 'is version 1.2; Swagger 2.0 and OpenAPI 3.0 to 3.2'],
])('refuses a Swagger document with %s', async (_, text, problem) => {
  await using home = await createHome({ 'api.yaml': text });
  const { code, stderr } = await pegboard(['import', 'openapi', 'api.yaml'], {
    home: home.path,
    cwd: home.path,
  });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) as string });
});
