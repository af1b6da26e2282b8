import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicPegboard } from '../../../host/core/own-command.ts';
import { serveWeb } from '../../../plugins/builtin-page/serve-web.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { manifest } from '../../kit/homes/home.ts';
import { sendRaw } from '../../kit/servers/raw-http.ts';
import { openSockets } from '../../kit/servers/sockets.ts';
import { servePage, type ServedPage, openWeb } from '../../kit/web/served-page.ts';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage();
});
afterAll(() => page[Symbol.asyncDispose]());

const open = (code: string): ReturnType<ServedPage['ask']> =>
  page.ask('session', { body: { code }, session: { cookie: '', key: '' } });
const codeOf = (link: string): string => new URL(link).hash.replace('#open=', '');

test('a link signs in once, of any number who try it at the same time', async () => {
  const code = codeOf(page.link());
  const answers = await Promise.all(Array.from({ length: 20 }, () => open(code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await open(code)).toMatchObject({ status: 401, body: { error: { code: 'LINK_USED' } } });
});

test('a link is over after a minute', async () => {
  const code = codeOf(page.link());
  const folder = join(page.stateFolder, 'web');
  const aMinuteAgo = Date.now() / 1000 - 61;
  for (const name of readdirSync(folder).filter((name) => name.startsWith('open-')))
    utimesSync(join(folder, name), aMinuteAgo, aMinuteAgo);
  expect(await open(code)).toMatchObject({ status: 401 });
});

test('the cookie alone, the key alone, and halves of two sessions are nobody', async () => {
  const [one, two] = [await page.signIn(), await page.signIn()];
  expect(await page.ask('home', { session: one })).toMatchObject({ status: 200 });
  for (const session of [
    { cookie: one.cookie, key: '' },
    { cookie: '', key: one.key },
    { cookie: one.cookie, key: two.key },
    { cookie: `${one.cookie}x`, key: one.key },
    { cookie: '', key: '' },
  ])
    expect(await page.ask('home', { session })).toEqual({
      status: 401,
      body: { error: { code: 'SIGNED_OUT', message: expect.any(String), program: publicPegboard } },
    });
  const keyless = await page.ask('home', { session: one, changes: { 'x-pegboard-page': undefined } });
  expect(keyless.status).toBe(401);
});

test('the files of a session are of no use to who reads them', async () => {
  const session = await page.signIn();
  const folder = join(page.stateFolder, 'web');
  const files = readdirSync(folder).map((name) => `${name} ${readFileSync(join(folder, name), 'utf8')}`);
  expect(files.length).toBeGreaterThan(0);
  for (const secret of [session.cookie.split('=')[1]!, session.key, codeOf(page.link())])
    expect(files.join('\n')).not.toContain(secret);
});

test('a session outlives the server, and ends when its browser signs out', async () => {
  const session = await page.signIn();
  await using web = await openWeb(page.host);
  await using later = await serveWeb(web, 0);
  const port = Number(new URL(later.origin).port);
  const headers = ['host', `127.0.0.1:${port}`, 'cookie', session.cookie, 'x-pegboard-page', session.key];
  const home = (): Promise<number> =>
    sendRaw(port, { method: 'GET', path: '/api/home', headers }).then(({ status }) => status);
  expect(await home()).toBe(200);
  expect(await page.ask('sign-out', { body: {}, session })).toMatchObject({ status: 200 });
  expect(await home()).toBe(401);
});

test('a session ends after 30 days', async () => {
  const session = await page.signIn();
  const folder = join(page.stateFolder, 'web');
  const before = Date.now() / 1000 - 31 * 86_400;
  for (const name of readdirSync(folder).filter((name) => name.startsWith('session-')))
    utimesSync(join(folder, name), before, before);
  expect(await page.ask('home', { session })).toMatchObject({ status: 401 });
});

test.each(['signs out', 'types five wrong codes'])(
  'the events of a browser that %s end, and those of others go on',
  async (how) => {
    const [session, other] = [await page.signIn(), await page.signIn()];
    using stop = new DisposableStack();
    const end = new AbortController();
    stop.defer(() => end.abort());
    const ended = (async () => {
      for await (const _event of page.events(end.signal, { session }));
      return 'ended';
    })();
    const others = page.events(end.signal, { session: other });
    await others.next();
    if (how === 'signs out') await page.ask('sign-out', { body: {}, session });
    else for (let at = 0; at < 5; at++) await page.ask('proof', { body: { code: `WRONG-${at}` }, session });
    expect(await ended).toBe('ended');
    await page.home.write('spaces/work/agent/tools/new.md', manifest('new', `command: echo ${how}`));
    for (;;) {
      const { value } = await others.next();
      if (value!.type === 'tools') break;
    }
  },
);

test('before a browser is signed in, nothing of more than 4 KB is read', async () => {
  const session = { cookie: '', key: '' };
  const padded = (bytes: number): string => `{"code":"x"${' '.repeat(bytes - 12)}}`;
  expect(await page.ask('session', { session, body: padded(4096) })).toMatchObject({ status: 401 });
  expect(await page.ask('session', { session, body: padded(4097) })).toMatchObject({ status: 413 });
  // Whoever is nobody is told so, whatever else is wrong with the request.
  expect(await page.ask('call', { session, body: '[1.0,' })).toMatchObject({ status: 401 });
});

test('of 700 connections without a session 512 stay, and those with one are not among them', async () => {
  const leaving = new AbortController();
  const events = page.events(leaving.signal);
  await events.next();
  const silent = await openSockets(page.port, 700);
  try {
    await Promise.all(silent.slice(0, 188).map(({ closed }) => closed));
    expect(silent.slice(188).filter(({ socket }) => socket.destroyed)).toEqual([]);
    const next = events.next();
    expect(await page.ask('home')).toMatchObject({ status: 200 });
    await page.host.dispatch({ name: 'listdir', args: {}, scope: hostScope, caller: 'cli' });
    expect(await next).toMatchObject({ done: false });
  } finally {
    leaving.abort();
    for (const one of silent) one[Symbol.dispose]();
  }
});
