import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Dispatch } from '../../../../host/api/dispatch.ts';
import { openPluginHome } from '../../../kit/homes/plugin-home.ts';
import { openWebServer } from '../../../kit/servers/web-server.ts';
import { openRunner } from './watcher-rig.ts';

const minute = 60_000;

/** A page on a local server, which is allowed, and a watcher of it with the real reader of web pages. */
async function openWatchedPage(validator: 'etag' | 'last-modified' | undefined) {
  await using opened = new AsyncDisposableStack();
  let answer: { readonly status: number; readonly text: string; readonly location?: string } = {
    status: 200,
    text: 'first',
  };
  let version = 0;
  const statuses: number[] = [];
  const server = opened.use(
    await openWebServer((request, response) => {
      const { status, text, location } = answer;
      const tag = { etag: `"v${version}"`, 'last-modified': new Date(version * minute).toUTCString() };
      const asked = {
        etag: request.headers['if-none-match'],
        'last-modified': request.headers['if-modified-since'],
      };
      const isKnown = validator !== undefined && status === 200 && asked[validator] === tag[validator];
      statuses.push(isKnown ? 304 : status);
      response.writeHead(statuses.at(-1)!, {
        'content-type': 'text/plain',
        ...(location !== undefined && { location }),
        ...(validator && { [validator]: tag[validator] }),
      });
      response.end(isKnown ? undefined : text);
    }),
  );
  const web = opened.use(
    await openPluginHome({ settings: { 'builtin-web': { config: { allowHosts: [server.host] } } } }),
  );
  const dispatch: Dispatch = ({ name, args, ...request }) => web.call(name, args, request);
  const rig = opened.use(await openRunner(dispatch));
  const url = `${server.url}/page`;
  await rig.add({ kind: 'tool', tool: 'web.web_read', args: { url } }, { kind: 'message', text: 'Look!' });
  await rig.start();
  const owned = opened.move();
  return {
    server,
    /** The answers that the server gave. */
    statuses,
    delivered: rig.delivered,
    artifacts: () => readdir(web.path('data/artifacts')),
    /** Newest first. */
    history: async () => (await rig.store.history(1, 20)).map(({ event, summary }) => [event, summary]),
    /** Runs the next check, including everything that it triggers. */
    async look() {
      const { next_at: next, checked_at: before } = (await rig.store.find(1))!;
      await rig.clock.pass(Math.max(0, Date.parse(next) - rig.clock.now()));
      await expect.poll(async () => (await rig.store.find(1))!.checked_at, { interval: 5 }).not.toBe(before);
      await expect
        .poll(async () => (await rig.store.history(1, 1))[0]?.outcome, { interval: 5 })
        .not.toBe('running');
    },
    serve(status: number, text: string, location?: string) {
      answer = { status, text, ...(location !== undefined && { location }) };
      version++;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test.each(['etag', 'last-modified', undefined] as const)(
  'a page is reported once for each change, and an unchanged one (by %s) is not sent again',
  async (validator) => {
    await using page = await openWatchedPage(validator);
    await page.look();
    await page.look();
    expect(page.delivered).toEqual([]);
    const again = validator === undefined ? 200 : 304;
    expect(page.statuses.slice(0, 2)).toEqual([200, again]);
    page.serve(200, 'second');
    await page.look();
    await page.look();
    expect(page.delivered).toEqual([
      expect.stringMatching(
        /^telegram\/7: Look!\n\n\(Watcher 1, .*: now:\nhttp:\S+\/page\n\nsecond\nbefore:\nhttp:\S+\/page\n\nfirst\)$/,
      ),
    ]);
    expect(page.statuses.at(-1)).toBe(again);
  },
);

test('an error page in between is a failure and no change, and neither is its end', async () => {
  await using page = await openWatchedPage('etag');
  await page.look();
  page.serve(503, 'Sorry, we are down');
  await page.look();
  page.serve(200, 'first');
  await page.look();
  await page.look();
  expect(page.delivered).toEqual([]);
  expect(await page.history()).toEqual([
    ['recovered', expect.stringContaining('first')],
    ['failed', expect.stringMatching(/\/page answers with 503\.$/)],
  ]);
});

test.each([
  ['http://169.254.169.254/latest/meta-data/', '169.254.169.254 is a private address'],
  ['http://10.0.0.1/', '10.0.0.1 is a private address'],
  ['http://localhost/', 'is private'],
  ['file:///etc/passwd', 'only http:// and https://'],
])('a redirect to %s is refused and never followed', async (location, why) => {
  await using page = await openWatchedPage(undefined);
  await page.look();
  page.serve(302, '', location);
  await page.look();
  expect(page.delivered).toEqual([]);
  expect(await page.history()).toEqual([['failed', expect.stringContaining(why)]]);
});

test('a long page is compared as a whole, and kept once however often it is looked at', async () => {
  const start = 'x'.repeat(13_000);
  await using page = await openWatchedPage(undefined);
  page.serve(200, `${start} one`);
  await page.look();
  await page.look();
  await page.look();
  expect(page.delivered).toEqual([]);
  page.serve(200, `${start} two`);
  await page.look();
  expect(page.delivered).toHaveLength(1);
  expect(await page.artifacts()).toHaveLength(2);
});
