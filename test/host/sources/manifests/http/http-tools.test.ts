import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createHost } from '../../../../../host/create-host.ts';
import type { TurnContext } from '../../../../../host/api/conversation.ts';
import type { JsonObject, ToolResult } from '../../../../../host/api/result.ts';
import type { Host } from '../../../../../host/host.ts';
import { lint } from '../../../../../host/sources/manifests/check/lint.ts';
import { originsOf } from '../../../../../host/core/foreign/untrusted.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { encodedTexts } from '../../../../kit/data/encoded-texts.ts';
import { createHome, manifest } from '../../../../kit/homes/home.ts';
import { openWebServer } from '../../../../kit/servers/web-server.ts';

const parameters = `parameters:
  - { name: id, type: string, description: d, required: true }
  - { name: count, type: integer, description: d }
  - { name: tags, type: array, description: d, items: { type: string } }
  - { name: filter, type: object, description: d }
  - { name: note, type: string, description: d }
`;
const tool = (id: string, http: string, more = ''): Record<string, string> => ({
  [`spaces/api/agent/tools/${id}.md`]: manifest(id, `${parameters}http:\n${http}\n${more}`),
});

/** What a request was, as the server got it. */
interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const echo = () => openWebServer((request, response) => void reflect(request, response));

async function reflect(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/away') {
    response.writeHead(302, { location: 'http://127.0.0.1:9/stolen' }).end();
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method, url, headers } = request;
  response.writeHead(url!.startsWith('/missing') ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
}

async function open(files: Record<string, string>, environment: NodeJS.ProcessEnv = {}) {
  await using opening = new AsyncDisposableStack();
  const home = opening.use(await createHome(files));
  const host = opening.use(await createHost({ home: home.path, mcp: 'off', environment }));
  const owned = opening.move();
  return { host, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const call = (host: Host, name: string, args: JsonObject): Promise<ToolResult> =>
  host.dispatch({ name, args, scope: host.scopeFor(undefined), caller: 'test' });

const sent = ({ structured, error }: ToolResult): Echo => {
  expect(error).toBeUndefined();
  return structured as Echo;
};

describe('a tool with http', () => {
  test('sends the Accept and User-Agent of its manifest instead of the usual ones', async () => {
    await using server = await echo();
    const headers = 'headers: { accept: application/xml, User-Agent: "My agent" }';
    await using opened = await open({
      ...tool('own', `  url: ${server.url}/{{id}}\n  ${headers}`),
      ...tool('usual', `  url: ${server.url}/{{id}}`),
    });
    const own = sent(await call(opened.host, 'api.own', { id: '1' }));
    expect(own.headers).toMatchObject({ accept: 'application/xml', 'user-agent': 'My agent' });
    const usual = sent(await call(opened.host, 'api.usual', { id: '1' }));
    expect(usual.headers).toMatchObject({
      accept: expect.stringMatching(/^application\/json,/),
      'user-agent': 'Pegboard',
    });
  });

  test.for(encodedTexts)('reads an answer in the encoding that it names: %s', async ([, type, body]) => {
    await using server = await openWebServer((_, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    await using opened = await open(tool('get', `  url: ${server.url}/{{id}}`));
    const text = textOf(await call(opened.host, 'api.get', { id: '1' }));
    expect(text).toContain('Grüße');
    expect(text).not.toMatch(/[\0\uFFFD]/);
  });

  test('puts each value into its place, encoded, and leaves out what is missing', async () => {
    await using server = await echo();
    await using opened = await open({
      ...tool(
        'get',
        `  url: ${server.url}/a/{{id}}/b?ids={{tags}}&fixed=1&note={{note}}
  query: { limit: "{{count}}", tag: "{{tags}}", filter: "{{filter}}", text: "n-{{note}}" }
  headers: { X-Note: "{{note}}", X-Tags: "{{tags}}" }`,
      ),
      ...tool(
        'post',
        `  method: POST
  url: ${server.url}/a
  json: { id: "{{id}}", text: "is {{id}}", count: "{{count}}", note: "{{note}}", inner: { tags: ["{{tags}}"], on: true } }`,
      ),
      ...tool(
        'form',
        `  method: PUT\n  url: ${server.url}/a\n  form: { id: "{{id}}", tags: "{{tags}}", f: "{{filter}}" }`,
      ),
      ...tool('text', `  method: PATCH\n  url: ${server.url}/a\n  text: "Note: {{note}}"`),
    });
    const args = { id: 'x/y ?#%', tags: ['a,1', 'ü'], filter: { state: 'open', ids: [1, 2] }, count: 3 };
    const get = sent(await call(opened.host, 'api.get', args));
    expect(get.method).toBe('GET');
    expect(get.url).toBe(
      '/a/x%2Fy%20%3F%23%25/b?ids=a%2C1,%C3%BC&fixed=1&limit=3&tag=a%2C1&tag=%C3%BC&filter%5Bstate%5D=open&filter%5Bids%5D=1&filter%5Bids%5D=2',
    );
    expect(get.headers['x-note']).toBeUndefined();
    const post = sent(await call(opened.host, 'api.post', { id: '${HOME} {{count}}', count: 3, tags: [] }));
    expect(post.headers['content-type']).toBe('application/json');
    expect(JSON.parse(post.body)).toEqual({
      id: '${HOME} {{count}}',
      text: 'is ${HOME} {{count}}',
      count: 3,
      inner: { tags: [[]], on: true },
    });
    const form = sent(
      await call(opened.host, 'api.form', { id: 'a&b', tags: ['x', 'y'], filter: { a: { b: 'c' } } }),
    );
    expect(form.body).toBe('id=a%26b&tags=x&tags=y&f%5Ba%5D%5Bb%5D=c');
    const text = sent(await call(opened.host, 'api.text', { id: 'x', note: 'two\nlines' }));
    expect(text.body).toBe('Note: two\nlines');
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('refuses values that would lead to another path or make another header', async () => {
    await using server = await echo();
    await using opened = await open({
      ...tool('get', `  url: ${server.url}/a/{{id}}/b\n  headers: { X-Note: "{{note}}" }`),
    });
    for (const id of ['..', '.', ''])
      expect((await call(opened.host, 'api.get', { id })).error?.code, id).toBe('PEG_INVALID_ARGUMENTS');
    const { error } = await call(opened.host, 'api.get', { id: 'x', note: 'a\r\nX-Other: b' });
    expect(error).toMatchObject({ code: 'PEG_INVALID_ARGUMENTS', stage: 'prepare' });
    expect(server.requests).toEqual([]);
  });

  test('fills in secrets when it is sent, and shows them nowhere', async () => {
    await using server = await echo();
    const secret = 'k3y-9f8e7d6c5b4a';
    await using opened = await open(
      {
        ...tool(
          'get',
          `  url: ${server.url}/a\n  headers: { Authorization: "Bearer \${API_TOKEN}" }`,
          'confirm: true',
        ),
        ...tool('unset', `  url: ${server.url}/a\n  query: { key: "\${NOT_THERE}" }`),
      },
      { API_TOKEN: secret },
    );
    const { host } = opened;
    let question = '';
    const result = await host.dispatch({
      name: 'api.get',
      args: { id: 'x' },
      scope: host.scopeFor(undefined),
      caller: 'test',
      ask: async (asked) => {
        question += JSON.stringify(asked);
        return { action: 'accept' };
      },
    });
    expect(question).toContain('Authorization: Bearer ${API_TOKEN}');
    expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${secret}`);
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(originsOf(result)).toEqual([{ kind: 'web', what: server.url }]);
    const { error } = await call(host, 'api.unset', { id: 'x' });
    expect(error).toMatchObject({ code: 'PEG_MISSING_VARIABLE', data: { variable: 'NOT_THERE' } });
  });

  test('asks before it sends values to another server than those that the conversation has read', async () => {
    await using server = await echo();
    await using opened = await open({
      ...tool('get', `  url: ${server.url}/{{id}}`, 'readOnly: true'),
    });
    const { host } = opened;
    const asked = async (what: string): Promise<string> => {
      let question = '';
      const turn = {
        untrusted: { origins: [{ kind: 'web', what }], note: () => {} },
        conversation: { source: 'test', externalId: 'a', id: 1 },
        message: { source: 'test', externalId: 'a', text: 'hello' },
      } as unknown as TurnContext;
      await host.dispatch({
        name: 'api.get',
        args: { id: 'x' },
        scope: host.scopeFor(undefined),
        caller: 'agent:test',
        turn,
        ask: async (one) => {
          question = JSON.stringify(one);
          return { action: 'decline' };
        },
      });
      return question;
    };
    expect(await asked('https://pages.example.com/news')).toContain('may tell');
    expect(await asked(server.url)).toBe('');
  });

  test('reports what the server refuses, and follows no redirect to another server', async () => {
    await using server = await echo();
    await using opened = await open({
      ...tool('missing', `  url: ${server.url}/missing/{{id}}`),
      ...tool('away', `  url: ${server.url}/away\n  headers: { X-Key: secret }`),
      ...tool('down', `  url: http://127.0.0.1:1/a`),
    });
    const missing = await call(opened.host, 'api.missing', { id: 'x' });
    expect(missing.error).toMatchObject({ code: 'PEG_TOOL_FAILED', data: { status: 404 } });
    expect(missing.error!.message).toMatch(/answered HTTP 404 Not Found:\n\{"method":"GET"/);
    expect((await call(opened.host, 'api.away', { id: 'x' })).error!.message).toContain(
      'redirects to another server',
    );
    expect((await call(opened.host, 'api.down', { id: 'x' })).error!.message).toMatch(/can't be reached/);
  });

  test.each([
    ['value-in-host', 'url: "https://{{note}}.example.com/a"'],
    ['value-in-host', 'url: "https://api.example.com{{note}}/a"'],
    ['wrong-format', 'url: "${BASE}.example.com/a"'],
    ['wrong-format', 'url: "file:///etc/passwd"'],
    ['wrong-format', 'url: "{{note}}/a"'],
    ['credentials-in-url', 'url: "https://user:word@api.example.com/a"'],
    ['optional-in-path', 'url: "https://api.example.com/{{note}}"'],
    ['unknown-parameter', 'url: "https://api.example.com/{{nte}}"'],
    ['not-a-name', 'url: "https://api.example.com/a", query: { a: "{{#if note}}" }'],
    ['template-syntax', 'url: "https://api.example.com/a", query: { a: "{{note" }'],
    ['bad-header', 'url: "https://api.example.com/a", headers: { Host: other }'],
    ['bad-header', 'url: "https://api.example.com/a", headers: { "a b": c }'],
    ['body-of-get', 'url: "https://api.example.com/a", text: hello'],
    ['several-bodies', 'method: POST, url: "https://api.example.com/a", text: a, json: b'],
    ['unknown-key', 'url: "https://api.example.com/a", body: a'],
    ['not-read-only', 'method: POST, url: "https://api.example.com/a" }\nreadOnly: true\ntags: [a'],
  ])('is refused or doubted by lint: %s in %s', async (code, http) => {
    const end = http.includes('\n') ? ']' : ' }';
    await using home = await createHome({
      'spaces/api/agent/tools/a.md': manifest('a', `${parameters}http: { ${http}${end}\n`),
    });
    const diagnostics = await lint(home.path);
    expect(diagnostics.map((found) => found.code)).toEqual([code]);
    expect(diagnostics[0]!.line).toBeGreaterThan(8);
  });
});
