import { expect, test } from 'vitest';
import { pegboard, startPegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { sendRaw, type RawAnswer } from '../../../kit/servers/raw-http.ts';

const plugin = (points: string, word = 'first'): string => `
  import { add, definePlugin, HttpRoutes } from 'pegboard';
  const echo = async (request: Request): Promise<Response> => Response.json({
    word: '${word}', method: request.method, path: new URL(request.url).pathname, body: await request.text(),
  }, { headers: { 'Content-Security-Policy': 'none', 'X-Own': 'yes' } });
  const fail = (): Response => { throw new Error('of the plugin alone'); };
  export default definePlugin({ setup: () => ({ points: [${points}] }) });`;

const routes = plugin(`
  add(HttpRoutes, { path: '/open', access: 'public', handle: echo }),
  add(HttpRoutes, { path: '/open/fails', access: 'public', handle: fail }),
  add(HttpRoutes, { path: '/open/nothing', access: 'public', handle: (() => 'text') as never }),
  add(HttpRoutes, { path: '/clients', access: 'client', handle: echo }),
  add(HttpRoutes, { path: '/open/staff', access: 'client', handle: echo }),
  add(HttpRoutes, { path: '/mine', access: 'owner', handle: echo }),
  add(HttpRoutes, { path: '/mcp/own', access: 'public', handle: echo }),
  add(HttpRoutes, { path: '/tools', access: 'public', handle: echo }),
  add(HttpRoutes, { path: '/a//b', access: 'public', handle: echo }),
  add(HttpRoutes, { path: '/anyone', access: 'anybody' as never, handle: echo }),
  add(HttpRoutes, { path: '/open', access: 'owner', handle: echo }),
`);

async function serve() {
  await using opening = new AsyncDisposableStack();
  const home = opening.use(
    await createHome({
      'plugins/notes/plugin.yaml': 'id: notes\nversion: 1.0.0\ndescription: Notes\npoints: [http.routes]\n',
      'plugins/notes/index.ts': routes,
    }),
  );
  expect(await pegboard(['approvals', 'allow', 'notes', '--yes'], { home: home.path })).toMatchObject({
    code: 0,
  });
  const running = opening.use(startPegboard(['start', '--http', '0'], { home: home.path }));
  const url = new URL((await running.next(/http:\S+\/mcp/)).match(/http:\S+$/)![0]);
  const token = (await running.next(/token +\S+/)).match(/token +(\S+)/)![1]!;
  const send = (
    path: string,
    { body, headers = [] }: { readonly body?: string; readonly headers?: readonly string[] } = {},
  ): Promise<RawAnswer> =>
    sendRaw(Number(url.port), {
      method: body === undefined ? 'GET' : 'POST',
      path,
      headers: ['host', url.host, ...headers],
      ...(body !== undefined && { body }),
    });
  const opened = opening.move();
  return { home, url, token, send, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

test('routes of plugins answer whom their access names, and take no path of the server', async () => {
  await using served = await serve();
  const { send, token, url, home } = served;
  const open = await send('/open/below?x=1', { body: 'hello' });
  expect(open).toMatchObject({
    status: 200,
    headers: { 'x-own': 'yes', 'content-security-policy': expect.stringMatching(/^sandbox /) },
  });
  expect(JSON.parse(open.text)).toEqual({
    word: 'first',
    method: 'POST',
    path: '/open/below',
    body: 'hello',
  });
  expect(await send('/open', { body: 'x'.repeat(1024 * 1024 + 1) })).toMatchObject({ status: 413 });

  const bearer = ['authorization', `Bearer ${token}`];
  expect(await send('/clients')).toMatchObject({ status: 401 });
  expect(await send('/clients', { headers: bearer })).toMatchObject({ status: 200 });
  expect(await send('/mine', { headers: bearer })).toMatchObject({ status: 401 });
  const { stdout } = await pegboard(['dashboard', '--no-open'], { home: home.path });
  const json = ['origin', url.origin, 'content-type', 'application/json'];
  const code = new URL(stdout.trim()).hash.replace('#open=', '');
  const signedIn = await send('/api/session', { body: JSON.stringify({ code }), headers: json });
  const [cookie = ''] = signedIn.headers['set-cookie']![0]!.split(';');
  const { key } = JSON.parse(signedIn.text) as { readonly key: string };
  const session = ['cookie', cookie, 'x-pegboard-page', key];
  expect(await send('/mine', { headers: session })).toMatchObject({ status: 200 });
  // Another server on this machine gets the cookie, and not the key.
  expect(await send('/mine', { headers: session.slice(0, 2) })).toMatchObject({ status: 401 });

  for (const path of ['/open/fails', '/open/nothing']) {
    const { status, text } = await send(path);
    expect({ status, text }).toEqual({ status: 500, text: expect.not.stringContaining('of the plugin') });
  }
  // However a path is written, whoever is asked for is who answers.
  for (const path of [
    '/open/./staff',
    '/open/%2e/staff',
    '/open/x/%2E%2e/staff',
    '/open\\staff',
    '/open/../clients',
  ])
    expect(await send(path), path).toMatchObject({ status: 401 });
  // What is left out is the server's own, or nobody's: MCP asks for its token.
  for (const path of ['/mcp/own', '/anyone', '/a//b', '/open-ended'])
    expect(await send(path), path).toMatchObject({ status: 401 });
  expect((await send('/tools')).text).toContain('<div id="app">');
});

test('a route is the one of the newest plugin, and goes with it', async () => {
  await using served = await serve();
  const { send, home } = served;
  const wordAt = async (path: string): Promise<unknown> => {
    const { status, text } = await send(path);
    return status === 200 ? (JSON.parse(text) as { readonly word: string }).word : status;
  };
  expect(await wordAt('/open')).toBe('first');
  await home.write(
    'plugins/notes/index.ts',
    plugin("add(HttpRoutes, { path: '/open', access: 'public', handle: echo })", 'second'),
  );
  await pegboard(['approvals', 'allow', 'notes', '--yes'], { home: home.path });
  await expect.poll(() => wordAt('/open')).toBe('second');
  expect(await pegboard(['plugins', 'disable', 'notes'], { home: home.path })).toMatchObject({ code: 0 });
  await expect.poll(() => wordAt('/open')).toBe(401);
});
