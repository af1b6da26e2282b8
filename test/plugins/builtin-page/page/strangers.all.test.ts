import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifest } from '../../../kit/homes/home.ts';
import { sendRaw } from '../../../kit/servers/raw-http.ts';
import { openWebServer } from '../../../kit/servers/web-server.ts';
import { browsers, until } from '../../../kit/web/browsers.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

/** What only the owner may read. */
const readable = 'work.touch';

/** Everything that a page of somebody else can try with the page at `target`, and what it could read. */
const attack = (target: string, code: string): string => `(async () => {
  const target = ${JSON.stringify(target)};
  const read = [];
  const within = (promise) => Promise.race([promise, new Promise((done) => setTimeout(done, 3000))]);
  const attempt = async (act) => { try { const got = await within(act()); if (got) read.push(String(got)); } catch {} };
  const call = JSON.stringify({ tool: 'work.touch', args: {} });
  const json = { 'content-type': 'application/json' };
  for (const path of ['/', '/api/home', '/api/tools', '/api/questions', '/api/events', '/healthz'])
    for (const mode of ['cors', 'no-cors'])
      await attempt(async () => {
        const answer = await fetch(target + path, { credentials: 'include', mode, signal: AbortSignal.timeout(2000) });
        return answer.ok && mode === 'cors' ? await answer.text() : '';
      });
  for (const headers of [{}, json, { 'content-type': 'text/plain' }, { ...json, 'x-pegboard-page': 'x' }])
    for (const mode of ['cors', 'no-cors'])
      await attempt(async () => {
        const answer = await fetch(target + '/api/call', { method: 'POST', credentials: 'include', mode, headers, body: call });
        return answer.ok ? await answer.text() : '';
      });
  await attempt(async () => navigator.sendBeacon(target + '/api/call', new Blob([call], { type: 'text/plain' })) && '');
  await attempt(async () => {
    const answer = await fetch(target + '/api/session', { method: 'POST', mode: 'no-cors', body: JSON.stringify({ code: ${JSON.stringify(code)} }) });
    return answer.ok ? 'a session' : '';
  });
  const element = (name, attributes) => new Promise((done) => {
    const made = Object.assign(document.createElement(name), attributes);
    made.onload = () => done(name);
    made.onerror = () => done('');
    document.body.append(made);
  });
  await attempt(() => element('script', { src: target + '/api/home' }));
  await attempt(() => element('img', { src: target + '/icon.svg' }));
  await attempt(() => element('link', { rel: 'stylesheet', href: target + '/api/tools' }));
  await attempt(async () => {
    const frame = Object.assign(document.createElement('iframe'), { src: target + '/tools' });
    await new Promise((done) => { frame.onload = done; document.body.append(frame); setTimeout(done, 2000); });
    return frame.contentDocument?.body?.textContent ?? '';
  });
  await attempt(() => new Promise((done) => {
    const source = new EventSource(target + '/api/events', { withCredentials: true });
    source.onmessage = ({ data }) => done(data);
    source.onerror = () => done('');
  }));
  await attempt(() => new Promise((done) => {
    const socket = new WebSocket(target.replace('http', 'ws') + '/api/events');
    socket.onopen = () => done('a socket');
    socket.onerror = () => done('');
  }));
  const frame = document.createElement('iframe');
  frame.name = 'sink';
  document.body.append(frame);
  for (const enctype of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
    const form = Object.assign(document.createElement('form'), { method: 'post', action: target + '/api/call', target: 'sink', enctype });
    form.append(Object.assign(document.createElement('input'), { name: '{"tool":"work.touch","args":{},"x":"', value: '"}' }));
    document.body.append(form);
    form.submit();
    await new Promise((done) => setTimeout(done, 200));
  }
  return read;
})()`;

test.for(browsers)(
  'in $name, pages of another port, another site and a rebound name read nothing and change nothing',
  async ({ missing, launch }, context) => {
    if (missing !== undefined) return context.skip(missing);
    await using page = await servePage({
      'spaces/work/agent/tools/touch.md': manifest('touch', 'command: touch touched'),
    });
    const cookies: string[] = [];
    await using stranger = await openWebServer(({ headers }, response) => {
      if (headers.cookie !== undefined) cookies.push(headers.cookie);
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Theirs</title><body>');
    });
    await using browser = await launch(['evil.example', 'rebound.example']);
    const own = await browser.open(page.link());
    await until(own, `document.querySelector('nav') && document.body.textContent.includes('live')`);
    // What the page itself may: the attacks below fail because of who makes them.
    expect(await own.evaluate(asThePage('/api/tools'))).toContain(readable);

    const theirs = stranger.host.split(':')[1]!;
    for (const [site, target] of [
      [stranger.url, page.origin],
      [`http://evil.example:${theirs}`, page.origin],
      [`http://evil.example:${theirs}`, `http://rebound.example:${page.port}`],
    ] as const) {
      const tab = await browser.open(`${site}/`);
      const unused = new URL(page.link()).hash.replace('#open=', '');
      const read = await tab.evaluate<readonly string[]>(attack(target, unused));
      expect(read, `${site} of ${target}`).toEqual([]);
      // The link that it tried to use up is as good as before.
      expect(await signInWith(page, unused)).toBe(200);
    }
    // A rebound name is the page's own origin for the browser, not for the host.
    const rebound = await browser.open(`http://rebound.example:${page.port}/`);
    expect(await rebound.evaluate(asThePage('/api/tools'))).not.toContain(readable);
    expect(await rebound.evaluate(`document.querySelector('#app')`)).toBeNull();
    expect(existsSync(join(page.home.path, 'spaces/work/touched'))).toBe(false);

    // Cookies ignore ports, so the other port has got ours. Without the key it is nobody.
    expect(cookies.some((cookie) => cookie.includes('pegboard_page='))).toBe(true);
    const key = await own.evaluate<string>(`localStorage.getItem('pegboard-page-key')`);
    expect(key.length).toBeGreaterThan(20);
    for (const session of [
      { cookie: cookies.find((cookie) => cookie.includes('pegboard_page='))!, key: '' },
      { cookie: '', key },
    ])
      expect((await page.ask('tools', { session })).status).toBe(401);
    expect(own.watched).toEqual({ errors: [], outside: [] });
  },
);

/** A request as the page makes it, and why there is none in a document that has no storage. */
const asThePage = (path: string): string => `(async () => {
  try {
    const key = localStorage.getItem('pegboard-page-key') ?? '';
    const answer = await fetch('${path}', { headers: { 'x-pegboard-page': key } });
    return await answer.text();
  } catch (cause) {
    return String(cause);
  }
})()`;

async function signInWith(page: ServedPage, code: string): Promise<number> {
  const headers = ['host', new URL(page.origin).host, 'origin', page.origin];
  const { status } = await sendRaw(page.port, {
    path: '/api/session',
    headers: [...headers, 'content-type', 'application/json'],
    body: JSON.stringify({ code }),
  });
  return status;
}
