import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  approve,
  askForToken,
  beginLogin,
  createBrowser,
  redeem,
  redirectUri,
  register,
  serveWithLogin,
  type HandLogin,
  type LoginHome,
} from '../../kit/mcp-login.ts';
import { callBody, modernHeaders, post } from '../../kit/mcp-wire.ts';
import { sendRaw } from '../../kit/raw-http.ts';

afterEach(() => void vi.useRealTimers());

const wait = (seconds: number): void => {
  const at = Date.now() + seconds * 1000;
  vi.useFakeTimers({ toFake: ['Date'], now: at });
};

async function begun(home: LoginHome, change = {}): Promise<HandLogin> {
  const { body } = await register(home.origin);
  return beginLogin(home.origin, body.client_id, change);
}

async function tokensOf(home: LoginHome) {
  const login = await begun(home);
  const back = await approve(login.page, home.server.login!.code);
  const { body } = await redeem(home.origin, login, back.searchParams.get('code')!);
  return { login, body };
}

const call = ({ server }: LoginHome, token: string) =>
  post({ port: server.port, token }, callBody('echo', { text: 'x' }, 'modern'), modernHeaders('echo'));

describe('the owner', () => {
  test('is asked with the code, and a few wrong ones end the login', async () => {
    await using home = await serveWithLogin();
    const { page } = await begun(home);
    const browser = createBrowser();
    let form = await browser.open(page);
    for (let tried = 1; tried < 5; tried++) {
      form = await browser.submit(form, { code: 'AAAAA-AAAAA', decision: 'allow' });
      expect(form).toMatchObject({ status: 403 });
      expect(form.html).toContain('That is not the code');
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

  test('is asked anew in the same browser, by the same client, whatever was allowed before', async () => {
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

describe('a login', () => {
  test.each([
    ['another redirect', { redirect_uri: 'https://client.example/callback/' }],
    [
      'a redirect to a part of another name',
      { redirect_uri: 'https://client.example.evil.example/callback' },
    ],
    ['no redirect', { redirect_uri: undefined }],
    ['a client that nobody registered', { client_id: 'nobody' }],
  ])('with %s leads nowhere', async (_, change) => {
    await using home = await serveWithLogin();
    const visit = await createBrowser().open((await begun(home, change)).page);
    expect(visit.status).toBe(400);
    expect(visit.url.origin).toBe(home.origin);
    expect(visit.headers.get('x-frame-options')).toBe('DENY');
  });

  test.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['another server', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['no path of MCP', { resource: 'ORIGIN/healthz' }, 'invalid_target'],
    ['a path with a query', { resource: 'ORIGIN/mcp?x=1' }, 'invalid_target'],
  ])('for %s is refused', async (_, change: Record<string, string | undefined>, error) => {
    await using home = await serveWithLogin();
    const resource = change['resource']?.replace('ORIGIN', home.origin);
    const { page } = await begun(home, resource === undefined ? change : { resource });
    const { url } = await createBrowser().open(page);
    expect(`${url.origin}${url.pathname}`).toBe(redirectUri);
    // The implicit flow would have its answer behind the hash.
    const answer = url.hash === '' ? url.searchParams : new URLSearchParams(url.hash.slice(1));
    expect(answer.get('error')).toBe(error);
    expect(answer.get('access_token')).toBeNull();
  });

  test('whose code comes too late is over', async () => {
    await using home = await serveWithLogin();
    const login = await begun(home);
    const back = await approve(login.page, home.server.login!.code);
    wait(61);
    expect(await redeem(home.origin, login, back.searchParams.get('code')!)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('lasts an hour without its client, thirty days with it', async () => {
    await using home = await serveWithLogin();
    const { login, body } = await tokensOf(home);
    expect(await call(home, body.access_token)).toMatchObject({ status: 200 });
    wait(3601);
    expect(await call(home, body.access_token)).toMatchObject({ status: 401 });
    const refresh = (token: string) =>
      askForToken(home.origin, {
        grant_type: 'refresh_token',
        client_id: login.clientId,
        refresh_token: token,
      });
    const renewed = await refresh(body.refresh_token);
    expect(await call(home, renewed.body.access_token)).toMatchObject({ status: 200 });
    wait(30 * 24 * 3600 + 1);
    expect(await refresh(renewed.body.refresh_token)).toMatchObject({ status: 400 });
  });

  test('of one client is no login of another', async () => {
    await using home = await serveWithLogin();
    const { body } = await tokensOf(home);
    const { body: other } = await register(home.origin);
    const stolen = await askForToken(home.origin, {
      grant_type: 'refresh_token',
      client_id: other.client_id,
      refresh_token: body.refresh_token,
    });
    expect(stolen).toMatchObject({ status: 400 });
  });

  test.each(['client_credentials', 'password', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'by the grant %s is not offered',
    async (grant_type) => {
      await using home = await serveWithLogin();
      const { body } = await register(home.origin);
      const answer = await askForToken(home.origin, { grant_type, client_id: body.client_id });
      expect(answer.status).toBe(400);
    },
  );
});

describe('a client', () => {
  test.each([
    [{ redirect_uris: ['http://evil.example/callback'] }],
    [{ redirect_uris: ['http://evil.example/callback'], application_type: 'web' }],
    [{ redirect_uris: ['javascript:alert(1)'] }],
    [{ redirect_uris: ['data:text/html,x'] }],
    [{ redirect_uris: ['https://client.example/#part'] }],
    [{ redirect_uris: [] }],
    [{ redirect_uris: Array.from({ length: 11 }, (_, at) => `https://client.example/${at}`) }],
    [{ redirect_uris: [`https://client.example/${'x'.repeat(500)}`] }],
    [{ client_name: 'x'.repeat(501) }],
    [{ sector_identifier_uri: 'https://client.example/sector' }],
    [{ jwks_uri: 'https://client.example/jwks', token_endpoint_auth_method: 'private_key_jwt' }],
    [{ grant_types: ['client_credentials'], response_types: [] }],
    [{ client_name: 'x'.repeat(70_000) }],
  ])('that registers %j is refused', async (metadata) => {
    await using home = await serveWithLogin();
    expect(await register(home.origin, metadata)).toMatchObject({ status: 400 });
  });

  test.each([
    [{ redirect_uris: ['http://127.0.0.1:1234/callback', 'http://localhost/callback'] }],
    [{ redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] }],
    [{ scope: 'claudeai openid offline_access' }],
    [{ token_endpoint_auth_method: 'client_secret_post' }],
  ])('that registers %j is taken', async (metadata) => {
    await using home = await serveWithLogin();
    expect(await register(home.origin, metadata)).toMatchObject({ status: 201 });
  });

  test('of an app on this machine may listen on any port', async () => {
    await using home = await serveWithLogin();
    const { body } = await register(home.origin, { redirect_uris: ['http://127.0.0.1/callback'] });
    const at = (redirect_uri: string) =>
      createBrowser().open(beginLogin(home.origin, body.client_id, { redirect_uri }).page);
    expect((await at('http://127.0.0.1:4321/callback')).status).toBe(200);
    expect((await at('http://127.0.0.1:4321/other')).status).toBe(400);
  });

  test('finds no registration when too many come at once', async () => {
    await using home = await serveWithLogin();
    const answers = [];
    for (let at = 0; at < 31; at++) answers.push((await register(home.origin)).status);
    expect(answers.slice(0, 30).every((status) => status === 201)).toBe(true);
    expect(answers[30]).toBe(429);
  });
});

describe('a client that is known by a page', () => {
  const id = 'https://client.example/pegboard.json';
  const serve = async (page: object, fetched: string[]) =>
    serveWithLogin({
      login: {
        publicUrl: '',
        fetch: async (url) => {
          fetched.push(new Request(url).url);
          return Response.json(page);
        },
      },
    });

  test('logs in without registering', async () => {
    const fetched: string[] = [];
    const page = { client_id: id, client_name: 'By page', redirect_uris: [redirectUri] };
    await using home = await serve({ ...page, token_endpoint_auth_method: 'none' }, fetched);
    const login = beginLogin(home.origin, id);
    const form = await createBrowser().open(login.page);
    expect(form.html).toContain(id);
    const back = await approve(login.page, home.server.login!.code);
    const { body } = await redeem(home.origin, login, back.searchParams.get('code')!);
    expect(await call(home, body.access_token)).toMatchObject({ status: 200 });
    expect(fetched).toEqual([id]);
  });

  test('is refused when the page says another client, or another redirect', async () => {
    await using other = await serve({ client_id: `${id}x`, redirect_uris: [redirectUri] }, []);
    expect((await createBrowser().open(beginLogin(other.origin, id).page)).status).toBe(400);
    const page = { client_id: id, redirect_uris: ['https://client.example/other'] };
    await using home = await serve({ ...page, token_endpoint_auth_method: 'none' }, []);
    expect((await createBrowser().open(beginLogin(home.origin, id).page)).status).toBe(400);
  });

  test.each([
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://2130706433/client.json',
    'https://localhost/client.json',
    'https://metadata/client.json',
    'https://client.example:8443/client.json',
    'http://client.example/client.json',
    'https://user@client.example/client.json',
  ])('at %s is not looked for', async (inside) => {
    const fetched: string[] = [];
    await using home = await serve({ client_id: inside, redirect_uris: [redirectUri] }, fetched);
    expect((await createBrowser().open(beginLogin(home.origin, inside).page)).status).toBe(400);
    expect(fetched).toEqual([]);
  });
});
