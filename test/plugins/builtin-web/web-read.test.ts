import type { lookup } from 'node:dns';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fetchPublic } from '../../../plugins/builtin-web/fetch-public.ts';
import { untrustedOrigin } from '../../../host/core/foreign/untrusted.ts';
import { textOf } from '../../../host/tools/result.ts';
import { encodedTexts } from '../../kit/data/encoded-texts.ts';
import { pdfOf } from '../../kit/data/pdf.ts';
import { openPluginHome, type PluginHome } from '../../kit/homes/plugin-home.ts';
import { openWebServer, type WebServer } from '../../kit/servers/web-server.ts';

const article = `<!doctype html><html><head><title>Pegs &amp; boards</title><style>p{}</style></head><body>
<nav><a href="/">Home</a><a href="/login">Log in</a></nav>
<article><h1>Pegs</h1>${'<p>A <b>peg</b> holds a tool, and a <a href="/board">board</a> holds the pegs, so that everybody finds what they need.</p>'.repeat(8)}
<ul><li>one</li><li>two</li></ul></article><footer>Imprint</footer><script>document.title = 'hacked'</script></body></html>`;

const pages: { readonly [path: string]: readonly [type: string, body: string | Buffer, headers?: object] } = {
  '/article': ['text/html; charset=utf-8', article],
  '/latin': [
    'text/html',
    Buffer.from('<html><head><meta charset="iso-8859-1"></head><body>Gr\xfc\xdfe</body></html>', 'latin1'),
  ],
  '/plain': ['text/plain', 'just text'],
  '/gzip': ['text/plain', gzipSync('packed text'), { 'content-encoding': 'gzip' }],
  '/bomb': ['text/plain', gzipSync(Buffer.alloc(20 * 1024 * 1024, 97)), { 'content-encoding': 'gzip' }],
  '/long': ['text/plain', `${'x'.repeat(12_000)}the rest`],
  '/image': ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  '/pdf': ['application/pdf', Buffer.from(pdfOf(['Hello from a PDF']))],
};

const serve = (): Promise<WebServer> =>
  openWebServer((request, response) => {
    const page = pages[request.url!];
    if (!page) return void response.writeHead(404).end('no');
    response.writeHead(200, { 'content-type': page[0], ...page[2] }).end(page[1]);
  });
const openHome = (server: WebServer, environment: Record<string, string> = {}): Promise<PluginHome> =>
  openPluginHome({ settings: { 'builtin-web': { config: { allowHosts: [server.host] } } }, environment });

describe('web_read', () => {
  test('gives an article as Markdown, without menus, styles and scripts, and says where it comes from', async () => {
    await using server = await serve();
    await using home = await openHome(server);
    const result = await home.call('web_read', { url: `${server.url}/article` });
    const text = textOf(result);
    expect(text).toContain('# Pegs & boards');
    expect(text).toMatch(/A \*\*peg\*\* holds a tool, and a \[board\]\(http:\/\/127/);
    expect(text).toMatch(/- +one/);
    for (const noise of ['Log in', 'Imprint', 'hacked', 'p{}']) expect(text).not.toContain(noise);
    expect(untrustedOrigin(result)).toEqual({ kind: 'web', what: `${server.url}/article` });
    expect(result.meta).toBeUndefined();
  });

  test.for([
    ['/latin', 'Grüße'],
    ['/plain', 'just text'],
    ['/gzip', 'packed text'],
    ['/pdf', 'Hello from a PDF'],
  ] as const)('reads %s', async ([path, expected]) => {
    await using server = await serve();
    await using home = await openHome(server);
    expect(textOf(await home.call('web_read', { url: server.url + path }))).toContain(expected);
  });

  test.for(encodedTexts)('reads text in the encoding that it names: %s', async ([, type, body, hasEuro]) => {
    await using server = await openWebServer((_, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    await using home = await openHome(server);
    for (const name of ['web_read', 'http_get']) {
      const text = textOf(await home.call(name, { url: server.url }));
      expect(text, name).toContain('Grüße');
      expect(text, name).not.toMatch(/[\0\uFFFD]/);
      expect(text.includes('€'), name).toBe(hasEuro);
    }
  });

  test('shows 12,000 characters of a long page and keeps the whole', async () => {
    await using server = await serve();
    await using home = await openHome(server);
    const page = await home.call('web_read', { url: `${server.url}/long` });
    expect(page.structured).toEqual({
      url: `${server.url}/long`,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      content: `${'x'.repeat(12_000)}the rest`,
    });
    const text = textOf(page);
    const id = /read_artifact, id (\S+), offset 12000/.exec(text)?.[1];
    expect(textOf(await home.call('read_artifact', { id, offset: 12_000 }))).toContain('the rest');
  });

  test('stops a page that unpacks to more than the limit', async () => {
    await using server = await serve();
    await using home = await openHome(server);
    const text = textOf(await home.call('web_read', { url: `${server.url}/bomb` }));
    expect(text).toContain('longer than what was loaded');
    expect(text.length).toBeLessThan(20_000);
  });

  test.for([
    ['/image', 'which is not text'],
    ['/missing', 'answers with 404'],
  ] as const)('says why %s is not to be had', async ([path, why]) => {
    await using server = await serve();
    await using home = await openHome(server);
    expect((await home.call('web_read', { url: server.url + path })).error?.message).toContain(why);
  });
});

describe('what is not public is not read', () => {
  test.for([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost/',
    'http://localhost.localdomain/',
    'http://8.8.8.8:22/',
    'http://user:pass@example.com/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://127.0.0.1/',
  ])('%s', async (url) => {
    await using home = await openPluginHome({ environment: {} });
    const { error } = await home.call('web_read', { url });
    expect(error?.code).toMatch(/PEG_DENIED|PEG_TOOL_FAILED/);
    expect(error?.message).toMatch(/not read|no host of that name/);
  });

  test('by a redirect', async () => {
    await using inner = await serve();
    await using server = await openWebServer((_request, response) =>
      response.writeHead(302, { location: `${inner.url}/plain` }).end(),
    );
    await using home = await openHome(server);
    const { error } = await home.call('web_read', { url: server.url });
    expect(error).toMatchObject({ code: 'PEG_DENIED' });
    expect(inner.requests).toEqual([]);
  });

  test('by a name that has a private address, also beside a public one', async () => {
    await using server = await serve();
    const port = server.host.split(':')[1]!;
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::1'], []]) {
      const fake = ((_host: string, _options: object, done: (e: null, list: object[]) => void) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )) as unknown as typeof lookup;
      const options = { allowHosts: [], maxBytes: 1000, signal: AbortSignal.timeout(5_000), lookup: fake };
      await expect(fetchPublic('http://rebound.example/', options)).rejects.toMatchObject({
        code: 'PEG_DENIED',
      });
    }
    expect(port).toMatch(/^\d+$/);
    expect(server.requests).toEqual([]);
  });

  test('and endless redirects end', async () => {
    await using server = await openWebServer((_request, response) =>
      response.writeHead(302, { location: '/again' }).end(),
    );
    await using home = await openHome(server);
    expect((await home.call('web_read', { url: server.url })).error?.message).toContain(
      'redirects more than 5 times',
    );
    expect(server.requests).toHaveLength(6);
  });
});

describe('with a key for Jina Reader', () => {
  test('pages come through it, and directly when it fails', async () => {
    await using pagesServer = await serve();
    let works = true;
    await using jina = await openWebServer((_request, response) => {
      if (!works) return void response.writeHead(500).end();
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          data: { title: 'By Jina', url: 'https://example.com/', content: 'read for you' },
        }),
      );
    });
    await using home = await openHome(pagesServer, { JINA_API_KEY: 'jina-key', JINA_BASE_URL: jina.url });
    expect(textOf(await home.call('web_read', { url: 'https://example.com/' }))).toContain('read for you');
    expect(jina.requests[0]).toMatchObject({
      url: '/https://example.com/',
      headers: { authorization: 'Bearer jina-key' },
    });
    works = false;
    const url = `http://localhost:${pagesServer.host.split(':')[1]}/plain`;
    expect((await home.call('web_read', { url })).error?.code).toBe('PEG_DENIED');
    expect(jina.requests).toHaveLength(1);
  });
});

test('a page that Jina Reader reports as missing is missing', async () => {
  await using jina = await openWebServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        code: 200,
        data: {
          warning: 'Target URL returned error 404: Not Found',
          title: '',
          url: 'https://example.com/none',
          content: 'Unknown.',
        },
      }),
    );
  });
  await using home = await openPluginHome({
    environment: { JINA_API_KEY: 'jina-key', JINA_BASE_URL: jina.url },
  });
  const { error } = await home.call('web_read', { url: 'https://example.com/none' });
  expect(error).toMatchObject({
    code: 'PEG_TOOL_FAILED',
    message: 'https://example.com/none answers with 404.',
  });
});

describe('web_search', () => {
  test('is there only with a key', async () => {
    await using home = await openPluginHome({ environment: {} });
    expect(home.registry.snapshot.find('web_search')).toBeUndefined();
  });

  test("gives Tavily's pages and summary", async () => {
    let body = '';
    await using tavily = await openWebServer((request, response) => {
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            answer: 'Forty-two.',
            results: [{ title: 'Answers', url: 'https://answers.example', content: 'All of them.' }],
          }),
        ),
      );
    });
    await using home = await openPluginHome({
      environment: { TAVILY_API_KEY: 'tavily-key', TAVILY_BASE_URL: tavily.url },
    });
    const found = await home.call('web_search', { query: 'life' });
    expect(found.structured).toEqual({
      answer: 'Forty-two.',
      results: [{ title: 'Answers', url: 'https://answers.example', content: 'All of them.' }],
    });
    expect(textOf(found)).toBe(
      'Summary: Forty-two.\n\n1. Answers\n   https://answers.example\n   All of them.',
    );
    expect(JSON.parse(body)).toMatchObject({ query: 'life', max_results: 5 });
    expect(tavily.requests[0]!.headers.authorization).toBe('Bearer tavily-key');
  });

  test('explains a refused key', async () => {
    await using tavily = await openWebServer((_request, response) => response.writeHead(401).end());
    await using home = await openPluginHome({
      environment: { TAVILY_API_KEY: 'x', TAVILY_BASE_URL: tavily.url },
    });
    expect((await home.call('web_search', { query: 'x' })).error?.message).toContain('TAVILY_API_KEY');
  });
});
