import { expect, test } from 'vitest';
import type { Ask } from '../../../host/api/ask.ts';
import { originsOf } from '../../../host/core/foreign/untrusted.ts';
import { readBody } from '../../../host/testing/http-server.ts';
import { parseJson, toJson } from '../../../host/core/documents/written-numbers.ts';
import { textOf } from '../../../host/tools/result.ts';
import { openPluginHome, type PluginHome } from '../../kit/homes/plugin-home.ts';
import { openWebServer, type WebServer } from '../../kit/servers/web-server.ts';

/** Returns the request that it got; `/away` redirects to another host. */
const serve = (elsewhere = ''): Promise<WebServer> =>
  openWebServer((request, response) => {
    void readBody(request).then((body) => {
      if (request.url === '/away') return response.writeHead(302, { location: elsewhere }).end();
      const { method, url, headers } = request;
      return response
        .writeHead(url === '/none' ? 404 : 200, { 'content-type': 'application/json', 'set-cookie': 'a=b' })
        .end(
          JSON.stringify({ method, url, key: headers['x-key'] ?? null, type: headers['content-type'], body }),
        );
    });
  });
const openHome = (...servers: readonly WebServer[]): Promise<PluginHome> =>
  openPluginHome({
    settings: { 'builtin-web': { config: { allowHosts: servers.map(({ host }) => host) } } },
  });
const yes: Ask = () => Promise.resolve({ action: 'accept', content: { answer: 'once' } });

test('http_get returns status, headers and JSON of any answer, as words of others', async () => {
  await using server = await serve();
  await using home = await openHome(server);
  const result = await home.call('http_get', { url: `${server.url}/a?b=1`, headers: { 'X-Key': 'k' } });
  expect(result.structured).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json' },
    json: { method: 'GET', url: '/a?b=1', key: 'k' },
  });
  expect(JSON.stringify(result.structured)).not.toContain('a=b');
  expect(originsOf(result)).toEqual([{ kind: 'web', what: `${server.url}/a?b=1` }]);
  const none = await home.call('http_get', { url: `${server.url}/none` });
  expect(textOf(none)).toMatch(/^HTTP 404\n/);
  expect(none.structured).toMatchObject({ status: 404, url: `${server.url}/none` });
});

test('http_request asks with the whole request, and sends it once', async () => {
  await using server = await serve();
  await using home = await openHome(server);
  const args = { method: 'POST', url: `${server.url}/orders`, json: { n: 1 } };
  expect((await home.call('http_request', args)).error?.code).toBe('PEG_NOBODY_TO_ASK');
  expect(server.requests).toHaveLength(0);
  const asked: string[] = [];
  const ask: Ask = (question, signal) => {
    asked.push(question.detail ?? '');
    return yes(question, signal);
  };
  const result = await home.call('http_request', args, { ask });
  expect(asked[0]).toContain(`POST ${server.url}/orders\n\n{"n":1}`);
  expect(result.structured).toMatchObject({
    json: { method: 'POST', type: 'application/json', body: '{"n":1}' },
  });
  // Headers for one host are not sent to others.
  const away = await home.call('http_request', { ...args, url: `${server.url}/away` }, { ask: yes });
  expect(away.structured).toMatchObject({ status: 302 });
});

test('the same addresses are out of reach as for web_read, and headers go to one host', async () => {
  await using second = await serve();
  await using server = await serve(`${second.url}/b`);
  await using home = await openHome(server, second);
  const followed = await home.call('http_get', { url: `${server.url}/away`, headers: { 'X-Key': 'secret' } });
  expect(followed.structured).toMatchObject({ url: `${second.url}/b`, json: { key: null } });
  await using strict = await openHome();
  for (const url of ['http://169.254.169.254/latest', server.url, 'http://[::1]/', 'file:///etc/passwd']) {
    expect((await strict.call('http_get', { url })).error?.code, url).toBe('PEG_DENIED');
    const sent = await strict.call('http_request', { method: 'POST', url, body: 'x' }, { ask: yes });
    expect(sent.error?.code, url).toBe('PEG_DENIED');
  }
  for (const headers of [
    { Host: 'x' },
    { 'Transfer-Encoding': 'chunked' },
    { 'X-A': 'b\r\nC: d' },
    { 'a b': 'c' },
  ])
    expect((await home.call('http_get', { url: server.url, headers })).error?.code).toBe(
      'PEG_INVALID_ARGUMENTS',
    );
});

test.for(['9007199254740993', '0.30000000000000000001', '1.0', '{"a":[1.0,1e999]}'])(
  'sends and gives back %s as it is written',
  async (json) => {
    await using server = await openWebServer((request, response) => {
      void readBody(request).then((body) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      );
    });
    await using home = await openHome(server);
    const args = parseJson(`{"method":"POST","url":"${server.url}/echo","json":${json}}`) as object;
    const asked: string[] = [];
    const ask: Ask = (question, signal) => (asked.push(question.detail ?? ''), yes(question, signal));
    const result = await home.call('http_request', args, { ask });
    expect(asked[0]).toContain(`\n\n${json}`);
    expect(textOf(result)).toContain(`\n\n${json}`);
    expect(toJson(result.structured)).toContain(`"json":${json}}`);
  },
);
