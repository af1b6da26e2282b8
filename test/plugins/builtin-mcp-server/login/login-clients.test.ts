import { describe, expect, test } from 'vitest';
import { createBrowser } from '../../../kit/servers/browser.ts';
import { approve, beginLogin, callWith, redeem, register } from '../../../kit/mcp/login-by-hand.ts';
import { redirectUri, serveWithLogin } from '../../../kit/mcp/mcp-login.ts';

describe('a client', () => {
  test.each([
    [{ redirect_uris: ['http://evil.example/callback'] }],
    [{ redirect_uris: ['http://evil.example/callback'], application_type: 'web' }],
    [{ redirect_uris: ['javascript:alert(1)'] }],
    [{ redirect_uris: ['data:text/html,x'] }],
    ...['ftp', 'ws', 'wss', 'smb', 'file', 'blob', 'view-source', 'intent', 'any'].map((scheme): [object] => [
      { redirect_uris: [redirectUri, `${scheme}://client.example/callback`] },
    ]),
    [{ redirect_uris: ['mailto:a@client.example'] }],
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
    [{ redirect_uris: ['com.example.app:/oauth', 'com.example.app://oauth/callback'] }],
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
    expect(await callWith(home, body.access_token)).toMatchObject({ status: 200 });
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
