import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveHttp, type HttpServer } from '../../../../plugins/builtin-mcp-server/http/http.ts';
import { sendRaw, type RawAnswer, type RawRequest } from '../../../kit/servers/raw-http.ts';
import { servedHost } from '../../../kit/mcp/served-host.ts';
import { echoTool } from '../../../kit/source.ts';

let server: HttpServer;
beforeAll(async () => {
  server = await serveHttp(await servedHost([echoTool()]), {
    port: 0,
    token: 'the-token',
    hosts: ['Pegboard.Example:8080'],
    origins: ['https://app.example'],
  });
});
afterAll(() => server.close());

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

/** An accepted request with changes; an undefined header is removed. */
function send(
  changes: { readonly [header: string]: string | undefined } = {},
  options: RawRequest = {},
): Promise<RawAnswer> {
  const headers: { [header: string]: string | undefined } = {
    host: `localhost:${server.port}`,
    authorization: 'Bearer the-token',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...changes,
  };
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
  return sendRaw(server.port, {
    body: initialize,
    ...options,
    headers: [...given, ...(options.headers ?? [])],
  });
}

test('a proper request is let in', async () => {
  expect(await send()).toMatchObject({ status: 200 });
  expect(await send({ host: `127.0.0.1:${server.port}` })).toMatchObject({ status: 200 });
  expect(await send({ host: `LOCALHOST:${server.port}` })).toMatchObject({ status: 200 });
  expect(await send({ host: 'pegboard.example:8080' })).toMatchObject({ status: 200 });
});

test.each(['evil.example', 'localhost', 'localhost:1', 'localhost.evil.example:80', '127.0.0.2', ''])(
  'the host "%s" is refused with 421',
  async (host) => {
    expect(await send({ host })).toMatchObject({ status: 421 });
  },
);

test('two Host headers, or none, are refused', async () => {
  const twice = await send({}, { headers: ['Host', `localhost:${server.port}`] });
  expect([400, 421]).toContain(twice.status);
  expect([400, 421]).toContain((await send({ host: undefined })).status);
});

test('pages of this server and of configured origins may call, others and "null" may not', async () => {
  expect(await send({ origin: `http://localhost:${server.port}` })).toMatchObject({ status: 200 });
  expect(await send({ origin: 'https://app.example' })).toMatchObject({ status: 200 });
  for (const origin of [
    'null',
    'https://evil.example',
    'http://localhost:1',
    `https://localhost:${server.port}`,
  ]) {
    expect(await send({ origin })).toMatchObject({ status: 403 });
  }
});

test('a browser that says the request comes from another site is refused', async () => {
  expect(await send({ 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
  expect(await send({ 'sec-fetch-site': 'same-site' })).toMatchObject({ status: 403 });
  expect(await send({ 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 });
});

test('without the token, or with another, the answer is 401 and says how to send it', async () => {
  for (const authorization of [
    undefined,
    'Bearer',
    'Bearer wrong',
    'Bearer the-toke',
    'Basic the-token',
    'the-token',
  ]) {
    const answer = await send({ authorization });
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="pegboard"' } });
    expect(answer.text).toContain('Authorization: Bearer');
  }
  expect(await send({}, { headers: ['Authorization', 'Bearer other'] })).toMatchObject({ status: 401 });
});

test('the token counts in the header only', async () => {
  expect(await send({ authorization: undefined }, { path: '/mcp?token=the-token' })).toMatchObject({
    status: 401,
  });
  expect(await send({ authorization: undefined }, { path: '/mcp?access_token=the-token' })).toMatchObject({
    status: 401,
  });
});

test('only JSON may be posted, which no form of a page can send', async () => {
  for (const type of [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    expect(await send({ 'content-type': type })).toMatchObject({ status: 415 });
  }
  expect(await send({ 'content-type': 'application/json; charset=utf-8' })).toMatchObject({ status: 200 });
});

test.each(['//evil.example/mcp', 'http://localhost/mcp', `/mcp?${'x'.repeat(3000)}`, '*'])(
  'the target %.40s is refused with 400',
  async (path) => {
    expect(await send({}, { path })).toMatchObject({ status: 400 });
  },
);

test('other paths and methods have nothing to give', async () => {
  expect(await send({}, { path: '/' })).toMatchObject({ status: 404 });
  expect(await send({}, { path: '/mcp/../etc/passwd' })).toMatchObject({ status: 404 });
  expect(await send({}, { method: 'PUT' })).toMatchObject({
    status: 405,
    headers: { allow: 'GET, POST, DELETE' },
  });
});

test('whether it is up can be asked without a token, but not from a page', async () => {
  const health = { path: '/healthz', method: 'GET', body: undefined } as unknown as RawRequest;
  expect(await send({ authorization: undefined }, health)).toMatchObject({
    status: 200,
    text: '{"status":"ok"}',
  });
  expect(await send({ authorization: undefined, origin: 'https://evil.example' }, health)).toMatchObject({
    status: 403,
  });
});

test('no answer allows another origin to read it', async () => {
  for (const answer of [
    await send(),
    await send({ origin: 'https://app.example' }),
    await send({ origin: 'null' }),
  ]) {
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('a generated token is long, and another at each start', async () => {
  const host = await servedHost([]);
  const servers = [await serveHttp(host, { port: 0 }), await serveHttp(host, { port: 0 })];
  const [first, second] = servers.map(({ token }) => token);
  expect(first!.length).toBeGreaterThanOrEqual(43);
  expect(first).not.toBe(second);
  for (const each of servers) await each.close();
});

test('a token that could not be sent, or is soon guessed, stops the start', async () => {
  const host = await servedHost([]);
  for (const token of ['', 'short', 'with spaces in it', 'ümläute-überall']) {
    await expect(serveHttp(host, { port: 0, token })).rejects.toMatchObject({ code: 'PEG_CONFIG' });
  }
});
