import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../kit/servers/raw-http.ts';
import { manifest } from '../../kit/homes/home.ts';
import { servePage, type ServedPage } from '../../kit/web/served-page.ts';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage({
    'spaces/work/agent/tools/touch.md': manifest('touch', 'command: touch touched'),
  });
});
afterAll(() => page[Symbol.asyncDispose]());

const touched = async (): Promise<boolean> => {
  try {
    await page.home.read('spaces/work/touched');
    return true;
  } catch {
    return false;
  }
};
const call = (changes: { readonly [header: string]: string | undefined }): ReturnType<ServedPage['ask']> =>
  page.ask('call', { body: { tool: 'work.touch', args: {} }, changes });

/** What browsers send for a page that isn't ours, although it sits in the same browser with our cookie. */
const others: readonly (readonly [string, { readonly [header: string]: string | undefined }, number])[] = [
  ['another port of this machine', { origin: 'http://127.0.0.1:9', 'sec-fetch-site': 'same-site' }, 403],
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
  ['a sandboxed frame or a file', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
  ['no origin', { origin: undefined }, 403],
  [
    'a name that was bound to this machine',
    { host: 'evil.example:3918', origin: 'http://evil.example:3918' },
    421,
  ],
  ['another scheme than its page', { origin: 'ftp://127.0.0.1' }, 403],
  ['a form', { 'content-type': 'text/plain' }, 415],
  ['a form with files', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
];

test.each(others)('a call from %s is refused, and has no effect', async (_who, changes, status) => {
  expect(await call(changes)).toMatchObject({ status });
  expect(await touched()).toBe(false);
});

test('another name of this machine is another page', async () => {
  const port = new URL(page.origin).port;
  expect(await call({ host: `localhost:${port}`, origin: page.origin })).toMatchObject({ status: 403 });
  expect(await touched()).toBe(false);
  expect(await call({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toMatchObject({
    status: 200,
  });
  expect(await touched()).toBe(true);
});

test.each(others.filter(([, changes]) => changes['content-type'] === undefined))(
  'nothing can be read from %s',
  async (_who, changes, status) => {
    const given = { ...changes };
    // A plain request for a script or an image has no origin.
    if (given['origin'] === undefined) return;
    for (const path of ['home', 'tools', 'questions', 'events'])
      expect((await page.ask(path, { changes: given })).status, path).toBe(status);
  },
);

test.each(['GET', 'POST'])(
  'a page of another site that only embeds us gets nothing by %s',
  async (method) => {
    const { status } = await sendRaw(page.port, {
      method,
      path: '/api/home',
      headers: [
        'host',
        new URL(page.origin).host,
        'sec-fetch-site',
        'cross-site',
        'sec-fetch-mode',
        'no-cors',
      ],
    });
    expect(status).toBe(403);
  },
);

test('a link from another site shows the page, which then reads by itself', async () => {
  const headers = ['host', new URL(page.origin).host, 'sec-fetch-site', 'cross-site'];
  const linked = [...headers, 'sec-fetch-mode', 'navigate', 'sec-fetch-dest', 'document'];
  expect(await sendRaw(page.port, { method: 'GET', path: '/tools', headers: linked })).toMatchObject({
    status: 200,
  });
  expect(await sendRaw(page.port, { method: 'GET', path: '/api/home', headers: linked })).toMatchObject({
    status: 403,
  });
  const framed = [...headers, 'sec-fetch-mode', 'navigate', 'sec-fetch-dest', 'iframe'];
  expect(await sendRaw(page.port, { method: 'GET', path: '/', headers: framed })).toMatchObject({
    status: 403,
  });
});

test('every answer forbids scripts, styles and pictures of others, frames and forms', async () => {
  for (const path of ['/', '/tools/x', '/api/home', '/nothing']) {
    const { headers } = await sendRaw(page.port, {
      method: 'GET',
      path,
      headers: ['host', new URL(page.origin).host],
    });
    if (path === '/nothing') continue;
    expect(headers['content-security-policy'], path).toContain("default-src 'none'");
    expect(headers['content-security-policy'], path).toContain("require-trusted-types-for 'script'");
    expect(headers['content-security-policy'], path).toContain("frame-ancestors 'none'");
    expect(headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});

test.each([
  '/../package.json',
  '/%2e%2e/package.json',
  '/main.tsx',
  '/api/%ff',
  '/api/constructor',
  '/api/__proto__',
])('the path %s leads nowhere', async (path) => {
  const { status } = await page.ask('home');
  expect(status).toBe(200);
  const session = await page.signIn();
  const headers = [
    'host',
    new URL(page.origin).host,
    'cookie',
    session.cookie,
    'x-pegboard-page',
    session.key,
  ];
  const answer = await sendRaw(page.port, { method: 'GET', path, headers });
  expect([400, 404]).toContain(answer.status);
});

test.each([
  ['which is said to be too long', { 'content-length': String(20 * 1024 * 1024) }],
  ['which turns out to be too long', { 'transfer-encoding': 'chunked' }],
])('a request %s is refused, and its connection closed', async (_what, length) => {
  const session = await page.signIn();
  const { host } = new URL(page.origin);
  const headers = {
    host,
    origin: page.origin,
    'content-type': 'application/json',
    cookie: session.cookie,
    'x-pegboard-page': session.key,
    ...length,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request({ port: page.port, method: 'POST', path: '/api/call', headers, agent: false });
  sent.once('response', resolve).on('error', reject);
  // It is never sent to its end.
  if ('transfer-encoding' in length) sent.write(Buffer.alloc(16 * 1024 * 1024 + 1, ' '));
  else sent.flushHeaders();
  const answer = await promise;
  expect(answer.statusCode).toBe(413);
  expect(answer.headers.connection).toBe('close');
  sent.destroy();
});
