import { execFile } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readCurl } from '../../../../../plugins/builtin-import/tools/curl/read-curl.ts';
import { splitCommand, textOf } from '../../../../../plugins/builtin-import/tools/curl/shell-words.ts';
import { uniqueIds } from '../../../../../plugins/builtin-import/tools/names.ts';
import { renderManifest } from '../../../../../plugins/builtin-import/tools/render-manifest.ts';
import { collectSecrets } from '../../../../../plugins/builtin-import/tools/requests/collect-secrets.ts';
import { exampleToTool } from '../../../../../plugins/builtin-import/tools/requests/example-to-tool.ts';
import { quoteWord } from '../../../../../host/core/text/shell-words.ts';
import { createHost } from '../../../../../host/create-host.ts';
import { pegboard } from '../../../../kit/cli.ts';
import { createHome } from '../../../../kit/homes/home.ts';
import { openWebServer, type WebServer } from '../../../../kit/servers/web-server.ts';

const values = [
  'plain',
  'two words',
  'a&b=c',
  '100%',
  '%41',
  '%zz',
  '%ff',
  'é',
  '😀',
  '"q"',
  "it's",
  '\\back\\',
  '\\"',
  'a+b',
  '[x]',
  '{y}',
  '$5',
  'new\nline',
  'tab\t',
  '',
  'true',
  '007',
  '-0',
  '1.0',
  '=eq',
  '#hash',
  '?q',
  '/',
  ';',
  '!',
  '~',
  '*',
];

/** As bash's `$'…'` may write it, in each of its ways. */
const dollarQuoted = (text: string, way: number): string =>
  `$'${Array.from(text)
    .map((character) => {
      const point = character.codePointAt(0)!;
      if (/[\w ]/.test(character) && way !== 1) return character;
      const bytes = [...Buffer.from(character)];
      return [
        `\\U${point.toString(16).padStart(8, '0')}`,
        bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
        bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
        point > 0xffff ? character : `\\u${point.toString(16).padStart(4, '0')}`,
      ][way % 4]!;
    })
    .join('')}'`;
const doubleQuoted = (text: string): string => `"${text.replaceAll(/["\\$`]/g, '\\$&')}"`;
const json = (value: unknown): string =>
  quoteWord(JSON.stringify({ v: value, list: [value, 1.5, true, null] }));
const type = "-H 'Content-Type: text/plain'";

const commands = [
  ...values.flatMap((value, index) => [
    `curl URL --data-raw ${quoteWord(`v=${value}`)}`,
    `curl URL --data-urlencode ${doubleQuoted(`v=${value}`)} -d 'w=1'`,
    `curl -G 'URL?first=1' --data-urlencode ${dollarQuoted(`v=${value}`, index)}`,
    `curl URL --json ${json(value)}`,
    `curl ${quoteWord(`URL?v=${encodeURIComponent(value)}&w${encodeURIComponent(value)}=w`)}`,
    `curl URL ${type} --data-raw ${dollarQuoted(value, index + 1)}`,
  ]),
  ...['=only', 'plain', 'a@b=c d', 'two words'].map(
    (value) => `curl URL --data-urlencode ${quoteWord(value)}`,
  ),
  String.raw`curl 'URL?filter\[state\]=open&page\[size\]=5'`,
  "curl -g 'URL?flag&%ff=1&filter[state]=open&tag=a&tag=b&empty=&a+b=c+d'",
  "curl -XPUT URL -d a=1 --data-urlencode 'b=&' --data-raw 'c=@x' -d ''",
  `curl URL -d '{"text": "sent as a form, as curl does"}'`,
  `curl URL -H 'content-type: application/json; charset=utf-8' -d '{"n": 123456789012345, "e": 1e3}'`,
  `curl URL --json '{"a":' --json '1}'`,
  "curl URL -H 'Content-Type: application/xml' -H 'Accept: application/xml' -d '<a>1 &amp; 2</a>'",
  "curl URL -H 'X-Empty;' -H 'X-Two: 1' -H 'X-Two: 2' -A 'My agent' -e https://a.example/ -r 0-99",
  "curl -u ada:s3cr3t-word URL -b 'a=1; b=2' -sSLi --compressed -m 20",
  "curl -X DELETE 'URL/a%20b/c%2Fd/é?x=1'",
  "curl -I 'URL?x=1'",
  'curl -X PATCH URL -d "say=$(printf nothing >/dev/null)"'.replace(/\$\(.*\)/, 'it'),
  // What an option says gives way to the header itself, and to the same option later.
  "curl URL -H 'Cookie: a=1' -b b=2",
  'curl URL -A one -A two -e https://a.example/ -e https://b.example/ -r 0-1 -r 2-3',
  "curl URL -A one -e https://a.example/ -r 0-1 -H 'User-Agent: two' -H 'Referer: https://b.example/' -H 'Range: bytes=2-3'",
  "curl -u ada:s3cr3t-word URL -H 'Authorization: Bearer 3f9c1d7b2a6e4c58'",
  'curl -u ada:s3cr3t-word -u eve:s3cr3t-other URL',
  'curl --oauth2-bearer 3f9c1d7b2a6e4c58 -u ada:s3cr3t-word URL',
  "curl --oauth2-bearer 3f9c1d7b2a6e4c58 URL -H 'Authorization: Token 9d8c7b6a5f4e3d2c'",
  "curl USER@SERVER -H 'Authorization: Bearer 3f9c1d7b2a6e4c58'",
  'curl -u eve:s3cr3t-other USER@SERVER',
  'curl USER@SERVER',
  'curl -r 100 URL',
  'curl URL -e "https://a.example/;auto"',
  "curl URL -H 'nothing'",
  // Every option as curl reads it: shortened, negated, and the end of them.
  "curl --data-url 'a=b c' --no-include --sil URL",
  'curl -q --no-progress-meter --no-keepalive --tcp-nodelay --max-filesize 99999 --limit-rate 100K --tlsv1.2 --raw URL',
  'curl -- URL',
  `curl --url-query 'a=b c' --url-query '+d=%20' "URL?x=1"`,
  'curl -d a=1 --url-query b=2 URL',
  'curl -G URL -d a=1 --url-query b=2',
  "curl -G 'URL?b=2#part' -d a=1",
  "curl -G 'URL#part' -d a=1",
  'curl -I -G URL -d a=1',
  "curl 'URL?b=1&10=z&2=x'",
  'curl -X POST -G URL -d a=1',
  'curl http:/SERVER',
  // Every word as bash reads it.
  'curl URL?a[0]=1 -g',
  String.raw`curl URL -d a=\\!\ b --data-raw $"x" -d "\! \a"`,
  'curl URL \\\n  -d a=1 \\\n  -d b=2',
  String.raw`curl "URL" -H "X-Mix: a"'b'c\ d -d "x="'1'\&y=2`,
];

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly string[])[];
  readonly headers: object;
  readonly body: unknown;
}

/** Those that a connection sets by itself, or a client unless it is told otherwise. */
const own = /^(host|connection|content-length|accept-encoding|accept-language|sec-fetch-mode)$/;

function toRequest(
  method: string,
  address: string,
  headers: NodeJS.Dict<string | string[]>,
  body: Buffer,
): Request {
  const url = new URL(address, 'http://x');
  const text = body.toString('latin1');
  const kind = String(headers['content-type']);
  const entries = Object.entries(headers).filter(
    ([name, value]) =>
      !own.test(name) && !/^(\*\/\*|curl\/.*|Pegboard|application\/json, text.*)$/.test(String(value)),
  );
  const isForm = /urlencoded/.test(kind) && !/^\s*[[{]/.test(text);
  return {
    method,
    path: url.pathname.replaceAll(/%../g, (code) => code.toUpperCase()),
    query: [...url.searchParams],
    headers: Object.fromEntries(entries),
    body: isForm ? [...new URLSearchParams(body.toString())] : (jsonOf(body) ?? text),
  };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Keeps what comes under `/NAME`, by this name. */
async function openRecorder(): Promise<WebServer & { readonly received: ReadonlyMap<string, Request> }> {
  const received = new Map<string, Request>();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method, url, headers } = request;
    const [, who, path] = /^\/(\w+)(.*)$/s.exec(url!)!;
    received.set(who!, toRequest(method!, path!, headers, Buffer.concat(chunks)));
    response.end('ok');
  }
  return Object.assign(await openWebServer((request, response) => void answer(request, response)), {
    received,
  });
}

const runBash = async (script: string): Promise<string> =>
  (await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })).stdout;

test('sends what curl sends', { timeout: 60_000 }, async () => {
  expect(commands.length).toBeGreaterThanOrEqual(230);
  await using server = await openRecorder();
  const { received } = server;
  const at = (index: number, who: string): string =>
    commands[index]!.replaceAll('URL', `${server.url}/${who}${index}`)
      .replaceAll('USER', 'http://ada:s3cr3t%21word')
      .replaceAll('SERVER', `${new URL(server.url).host}/${who}${index}`);
  const script = commands.map((_, index) => `${at(index, 'c')} >/dev/null 2>&1`).join('\n');
  await runBash(script);

  const secrets = collectSecrets('api');
  const uniqueId = uniqueIds();
  const tools = commands.map((_, index) =>
    exampleToTool(
      { ...readCurl([at(index, 't')]), name: `t${index}` },
      { secrets, variables: new Map(), uniqueId },
    ),
  );
  await using home = await createHome(
    Object.fromEntries(
      tools.map((tool) => [`spaces/a/agent/tools/${tool.manifest.id}.md`, renderManifest(tool, 'test')]),
    ),
  );
  const environment = Object.fromEntries(secrets.secrets.map(({ name, value }) => [name, value]));
  await using host = await createHost({ home: home.path, mcp: 'off', environment });
  for (const [index, { manifest }] of tools.entries()) {
    const args = Object.fromEntries(
      (manifest.parameters ?? []).flatMap(({ name, required }) => (required ? [[name, 1]] : [])),
    );
    const ask = async () => ({ action: 'accept' }) as const;
    const { error } = await host.dispatch({
      name: `a.${manifest.id}`,
      args,
      scope: host.scopeFor(undefined),
      caller: 'test',
      ask,
    });
    expect.soft(error, commands[index]).toBeUndefined();
    expect.soft(received.get(`t${index}`), commands[index]).toEqual(received.get(`c${index}`));
  }
});

test.each([
  "curl --data-url 'a=b c' -A one -A two URL",
  "curl -e https://a.example/ -H 'Referer: https://b.example/' URL -r 100",
  "curl -G 'URL?b=2#part' -d a=1 --url-query c=3",
  String.raw`curl 'URL?filter\[state\]=open' --data-raw $'a\041=\u0021'`,
])('imported by the command, sends what curl sends: %s', async (command) => {
  await using server = await openRecorder();
  const at = (who: string): string => command.replaceAll('URL', `${server.url}/${who}`);
  await runBash(`${at('curl')} 2>&1`);
  await using home = await createHome();
  const run = (...words: string[]) => pegboard(words, { home: home.path });
  expect(await run('import', 'curl', at('tool'), '--name', 'it', '--yes')).toMatchObject({ code: 0 });
  expect(await run('call', 'it', '--yes')).toMatchObject({ code: 0 });
  expect(server.received.get('tool')).toEqual(server.received.get('curl'));
});

test("reads $'…' as bash does", async () => {
  const written = [
    String.raw`\a\b\e\E\f\n\r\t\v\\\'\"\?`,
    String.raw`\z\- \101\1012 \x41\x4g`,
    String.raw`\u00e9\ue9\U0001F600\U1f600z \xc3\xa9 \303\251`,
    String.raw`\cA\ca\c[ end\0lost`,
    'é😀\n plain',
  ];
  const stdout = await runBash(written.map((text) => `printf '%s\\0' $'${text}'`).join('\n'));
  const read = written.map((text) => textOf(splitCommand(`curl $'${text}'`)[1]!));
  expect(read).toEqual(stdout.split('\0').slice(0, -1));
});
