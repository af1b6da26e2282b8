import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../../kit/cli.ts';
import { createHome } from '../../../../kit/homes/home.ts';
import { openWebServer, type WebServer } from '../../../../kit/servers/web-server.ts';

interface Sent {
  readonly url: string;
  readonly body: string;
  readonly authorization: string | undefined;
}

async function openRecorder(): Promise<WebServer & { readonly sent: readonly Sent[] }> {
  const sent: Sent[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
    sent.push({ url: request.url!, body, authorization: request.headers.authorization });
    response.end('ok');
  }
  return Object.assign(await openWebServer((request, response) => void answer(request, response)), { sent });
}

const variables = {
  words: 'two%20words',
  sum: 'a+b',
  percent: '100%25',
  'my%20name': 'by%20name',
  'a&b=c#d?e': 'odd',
  blanks: ' around ',
  json: '{"a": 1}',
};

/** What arrives of each, as Postman sends it: decoded, in the order in which it was written. */
const requests: readonly {
  readonly what: string;
  readonly request: object;
  readonly arrives: { readonly path?: string; readonly query?: string[][]; readonly body?: unknown };
}[] = [
  {
    what: 'variables of a query that are percent-encoded',
    request: { url: { raw: 'URL?a={{words}}&b={{sum}}&c={{percent}}&d=x%20{{words}}' } },
    arrives: {
      query: [
        ['a', 'two words'],
        ['b', 'a b'],
        ['c', '100%'],
        ['d', 'x two words'],
      ],
    },
  },
  {
    what: 'variables of a path that are percent-encoded',
    request: { url: { raw: 'URL/{{words}}/{{sum}}/:id', variable: [{ key: 'id', value: 'c%20d' }] } },
    arrives: { path: '/two words/a+b/c d' },
  },
  {
    what: 'a variable that is percent-encoded in an address, and text elsewhere',
    request: {
      method: 'POST',
      url: { raw: 'URL?a={{words}}' },
      body: { mode: 'urlencoded', urlencoded: [{ key: 'b', value: '{{words}}' }] },
    },
    arrives: { query: [['a', 'two words']], body: [['b', 'two%20words']] },
  },
  {
    what: 'variables whose names hold what divides an address',
    request: { url: 'URL?a={{my%20name}}&b={{a&b=c#d?e}}#{{words}}' },
    arrives: {
      query: [
        ['a', 'by name'],
        ['b', 'odd'],
      ],
    },
  },
  {
    what: 'blanks around values',
    request: {
      method: 'POST',
      url: {
        raw: 'URL',
        query: [
          { key: ' a ', value: ' 1 ' },
          { key: 'b', value: '{{blanks}}' },
        ],
      },
      body: { mode: 'raw', raw: ' {{blanks}}\n' },
    },
    arrives: {
      query: [
        [' a ', ' 1 '],
        ['b', ' around '],
      ],
      body: '  around \n',
    },
  },
  {
    what: 'a body that is one variable',
    request: {
      method: 'POST',
      url: 'URL',
      body: { mode: 'raw', raw: '{{json}}', options: { raw: { language: 'json' } } },
    },
    arrives: { body: '{"a": 1}' },
  },
  {
    what: 'blanks of a form, a query of a key, and an end of an address',
    request: {
      method: 'POST',
      url: 'URL?a=1 ',
      auth: { type: 'apikey', apikey: { key: 'k', value: 'x & y', in: 'query' } },
      body: { mode: 'urlencoded', urlencoded: [{ key: ' b', value: ' 2' }] },
    },
    arrives: {
      query: [
        ['a', '1 '],
        ['k', 'x & y'],
      ],
      body: [[' b', ' 2']],
    },
  },
  {
    what: 'names of a query that look like numbers, in their order',
    request: { url: 'URL?b=x%20y&10=z&2=a%26b&[c]={{words}}' },
    arrives: {
      query: [
        ['b', 'x y'],
        ['10', 'z'],
        ['2', 'a&b'],
        ['[c]', 'two words'],
      ],
    },
  },
];

test.each(requests)('sends as Postman does: $what', async ({ request, arrives }) => {
  await using server = await openRecorder();
  const collection = {
    info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: [{ name: 'it', request: { method: 'GET', ...request } }],
  };
  await using home = await createHome({
    'shop.json': JSON.stringify(collection).replaceAll('URL', `${server.url}/x`),
  });
  const run = (...words: string[]) => pegboard(words, { home: home.path, cwd: home.path });
  expect(await run('import', 'postman', 'shop.json', '--yes')).toMatchObject({ code: 0 });
  expect(await run('call', 'shop.it', '--yes')).toMatchObject({ code: 0 });
  const [sent] = server.sent;
  const { pathname, searchParams } = new URL(sent!.url, server.url);
  const isForm = Array.isArray(arrives.body);
  expect({
    path: decodeURIComponent(pathname.slice('/x'.length)),
    query: [...searchParams],
    body: isForm ? [...new URLSearchParams(sent!.body)] : sent!.body,
  }).toEqual({ path: '', query: [], body: '', ...arrives });
});

test('what can not keep its order says so', async () => {
  const collection = {
    info: { name: 'Shop' },
    item: [
      {
        name: 'it',
        request: {
          method: 'POST',
          url: 'https://a.example.com?b=1&2=x{{y}}',
          body: {
            mode: 'urlencoded',
            urlencoded: [
              { key: 'b', value: '1' },
              { key: '2', value: '3' },
            ],
          },
        },
      },
    ],
  };
  await using home = await createHome({ 'shop.json': JSON.stringify(collection) });
  const { leftOut } = await pegboardJson<{ readonly leftOut: readonly { readonly what: string }[] }>(
    ['import', 'postman', 'shop.json', '--yes'],
    { home: home.path, cwd: home.path },
  );
  expect(leftOut.map(({ what }) => what)).toEqual([
    'it, the order of its query',
    'it, the order of its form',
  ]);
});
