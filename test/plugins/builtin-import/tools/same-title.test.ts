import { expect, test } from 'vitest';
import { pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

const collection = (id: string | undefined, host: string, path = 'a'): object => ({
  info: { ...(id !== undefined && { _postman_id: id }), name: 'New Collection' },
  item: [{ name: 'Get it', request: { method: 'GET', url: `https://${host}/${path}` } }],
});
const api = (host: string, summary = 'It'): object => ({
  openapi: '3.1.0',
  info: { title: 'FastAPI', version: '1' },
  servers: [{ url: `https://${host}` }],
  paths: { '/it': { get: { operationId: 'getIt', summary } } },
});

test.each<[string, string, readonly [source: object | string, state: string][]]>([
  [
    'postman',
    'collections with ids',
    [
      [collection('1', 'a.example.com'), 'new'],
      [collection('2', 'a.example.com'), 'kept'],
      [collection(undefined, 'a.example.com', 'b'), 'kept'],
      [collection('1', 'b.example.com'), 'changed'],
    ],
  ],
  [
    'postman',
    'collections without ids',
    [
      [collection(undefined, 'a.example.com'), 'new'],
      [collection(undefined, 'b.example.com'), 'kept'],
      [collection(undefined, 'a.example.com', 'b'), 'changed'],
    ],
  ],
  [
    'openapi',
    'documents',
    [
      [api('a.example.com'), 'new'],
      [api('b.example.com'), 'kept'],
      [api('a.example.com', 'More'), 'changed'],
    ],
  ],
  [
    'curl',
    'commands',
    [
      ['curl https://a.example.com/v1/pets', 'new'],
      ['curl https://b.example.com/v1/pets', 'kept'],
      ['curl https://a.example.com/v2/pets', 'kept'],
      ['curl https://a.example.com/v1/pets?limit=10', 'changed'],
    ],
  ],
])(
  'import %s: of %s with the same title, none writes over the tools of another',
  async (format, _, steps) => {
    await using home = await createHome();
    for (const [source, state] of steps) {
      const given = typeof source === 'string' ? source : await home.write('source', JSON.stringify(source));
      const { tools } = await pegboardJson<{ readonly tools: readonly { readonly state: string }[] }>(
        ['import', format, given, '--yes'],
        { home: home.path },
      );
      expect(tools).toMatchObject([{ state }]);
    }
  },
);
