import { describe, expect, test } from 'vitest';
import { createBrowser } from '../../../kit/servers/browser.ts';
import { approve, beginLogin, begun, register } from '../../../kit/mcp/login-by-hand.ts';
import { serveWithLogin } from '../../../kit/mcp/mcp-login.ts';
import { sendRaw } from '../../../kit/servers/raw-http.ts';

describe('the owner', () => {
  test('is asked with the code, and a few wrong ones end the login', async () => {
    await using home = await serveWithLogin();
    const { page } = await begun(home);
    const browser = createBrowser();
    let form = await browser.open(page);
    for (let tried = 1; tried < 5; tried++) {
      form = await browser.submit(form, { code: 'AAAAA-AAAAA', decision: 'allow' });
      expect(form).toMatchObject({ status: 403 });
      expect(form.html).toContain('That code is wrong');
    }
    const ended = await browser.submit(form, { code: 'AAAAA-AAAAA', decision: 'allow' });
    expect(ended.url.searchParams.get('error')).toBe('access_denied');
    const late = await browser.submit(form, { code: home.server.login!.code, decision: 'allow' });
    expect(late.url.searchParams.get('code')).toBeNull();
  });

  test('may type the code in lower case and without the hyphen, and may say no', async () => {
    await using home = await serveWithLogin();
    const typed = home.server.login!.code.toLowerCase().replace('-', ' ');
    const back = await approve((await begun(home)).page, typed);
    expect(back.searchParams.get('code')).toBeTruthy();

    const browser = createBrowser();
    const denied = await browser.submit(await browser.open((await begun(home)).page), { decision: 'deny' });
    expect(denied.url.searchParams.get('error')).toBe('access_denied');
  });

  test('is required again in the same browser and for the same client, whatever was allowed before', async () => {
    await using home = await serveWithLogin();
    const browser = createBrowser();
    const { clientId, page } = await begun(home);
    await approve(page, home.server.login!.code, browser);
    for (const change of [{}, { scope: undefined }, { prompt: 'none' }]) {
      const again = await browser.open(beginLogin(home.origin, clientId, change).page);
      expect(again.url.searchParams.get('code')).toBeNull();
    }
  });

  test('sees a page that no other page can frame, send or read, in which a client’s name is only text', async () => {
    await using home = await serveWithLogin();
    const { body } = await register(home.origin, { client_name: '<script>alert(1)</script>\u202e' });
    const form = await createBrowser().open(beginLogin(home.origin, body.client_id).page);
    expect(form.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}');
    expect(form.html).not.toContain('<script');
    expect(form.headers.get('x-frame-options')).toBe('DENY');
    expect(form.headers.get('cache-control')).toBe('no-store');
    expect(form.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; form-action 'self' https:\/\/client\.example; frame-ancestors 'none'; base-uri 'none'$/,
    );
  });

  test('answers only the form of that page, in the browser that was sent there', async () => {
    await using home = await serveWithLogin();
    const { code } = home.server.login!;
    const browser = createBrowser();
    const form = await browser.open((await begun(home)).page);
    const allow = { code, decision: 'allow' };
    expect(await browser.submit(form, { ...allow, proof: 'guessed' })).toMatchObject({ status: 403 });
    expect(await createBrowser().submit(form, allow)).toMatchObject({ status: 404 });
    const other = await browser.open((await begun(home)).page);
    const mixed = { ...form, html: other.html };
    expect((await browser.submit(mixed, allow)).url.searchParams.get('code')).toBeNull();
  });

  test.each([
    ['a page of another site posts it', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page without an origin posts it', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ])('is not answered for when %s', async (_, headers) => {
    await using home = await serveWithLogin();
    const { port } = home.server;
    const answer = await sendRaw(port, {
      path: '/oauth/approve/any',
      body: 'decision=allow',
      headers: Object.entries({
        Host: `127.0.0.1:${port}`,
        'Content-Type': 'application/x-www-form-urlencoded',
        ...headers,
      }).flat(),
    });
    expect(answer.status).toBe(403);
  });

  test.each(['iframe', 'image', 'empty'])('is not reached by a page of another site as %s', async (dest) => {
    await using home = await serveWithLogin();
    const { port } = home.server;
    const { page } = await begun(home);
    const headers = { Host: `127.0.0.1:${port}`, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': dest };
    const answer = await sendRaw(port, {
      method: 'GET',
      path: `${page.pathname}${page.search}`,
      headers: Object.entries({ ...headers, 'Sec-Fetch-Mode': 'navigate' }).flat(),
    });
    expect(answer.status).toBe(403);
  });
});

describe('whether there is anything at a path', () => {
  test('is revealed to nobody before the owner has admitted the client', async () => {
    await using home = await serveWithLogin();
    const answersAt = async (path: string): Promise<readonly string[]> => {
      const resource = `${home.origin}${path}`;
      const refused = await fetch(resource, { method: 'POST' });
      const described = await fetch(`${home.origin}/.well-known/oauth-protected-resource${path}`);
      const login = await begun(home, { resource });
      const visit = await createBrowser().open(login.page);
      const form = new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'guessed',
        client_id: login.clientId,
        code_verifier: login.verifier,
        redirect_uri: 'https://client.example/callback',
        resource,
      });
      const token = await fetch(`${home.origin}/oauth/token`, { method: 'POST', body: form });
      const said = [
        `${refused.status} ${refused.headers.get('www-authenticate')} ${await refused.text()}`,
        `${described.status} ${await described.text()}`,
        `${visit.status} ${visit.url.pathname.replace(/[^/]*$/, '')} ${visit.url.searchParams} ${visit.html.replaceAll(/value="[^"]*"/g, '')}`,
        `${token.status} ${await token.text()}`,
      ];
      return said.map((text) => text.replaceAll(path, '/PATH'));
    };
    expect(await answersAt('/mcp/nosuch')).toEqual(await answersAt('/mcp/memory'));
  });

  test('is told to who has the code, instead of a login', async () => {
    await using home = await serveWithLogin();
    const { page } = await begun(home, { resource: `${home.origin}/mcp/nosuch` });
    const back = await approve(page, home.server.login!.code);
    expect(back.searchParams.get('error')).toBe('invalid_target');
    expect(back.searchParams.get('code')).toBeNull();
  });
});
