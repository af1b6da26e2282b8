import { describe, expect, test } from 'vitest';
import { readCurl } from '../../../../../plugins/builtin-import/tools/curl/read-curl.ts';
import { splitCommand, textOf } from '../../../../../plugins/builtin-import/tools/curl/shell-words.ts';
import { uniqueIds } from '../../../../../plugins/builtin-import/tools/names.ts';
import { collectSecrets } from '../../../../../plugins/builtin-import/tools/requests/collect-secrets.ts';
import { exampleToTool } from '../../../../../plugins/builtin-import/tools/requests/example-to-tool.ts';

/** The request of the tool, and the secrets with their values. */
function imported(command: string) {
  const secrets = collectSecrets('api');
  const { manifest } = exampleToTool(readCurl([command]), {
    secrets,
    variables: new Map(),
    uniqueId: uniqueIds(),
  });
  return {
    id: manifest.id,
    ...manifest.http,
    parameters: Object.fromEntries(
      (manifest.parameters ?? []).map((one) => [one.name, one.default ?? one.type]),
    ),
    secrets: Object.fromEntries(secrets.secrets.map(({ name, value }) => [name, value])),
  };
}

describe('import curl', () => {
  test.each<[string, { readonly problem?: string; readonly [part: string]: unknown }]>([
    ['curl https://api.example.com/v1/pets?limit=10&tag=a', { problem: 'it has a & outside of quotes' }],
    [
      `curl 'https://api.example.com/v1/pets?limit=10&sort=name%20asc'`,
      {
        id: 'get-pets',
        url: 'https://api.example.com/v1/pets',
        query: { limit: '{{limit}}', sort: '{{sort}}' },
        parameters: { limit: 10, sort: 'name asc' },
        secrets: {},
      },
    ],
    [
      `curl -sSL -XPOST api.example.com/notes -d title=Hello -d 'n=1' -u ada:s3cr3t-word`,
      {
        method: 'POST',
        url: 'http://api.example.com/notes',
        form: { title: '{{title}}', n: '{{n}}' },
        headers: { Authorization: 'Basic ${API_BASIC_AUTH}' },
        secrets: { API_BASIC_AUTH: 'YWRhOnMzY3IzdC13b3Jk' },
      },
    ],
    [
      String.raw`curl https://api.example.com/notes \
  -H 'Content-Type: application/json' -H "Authorization: Bearer $NOTES_TOKEN" \
  --data-raw '{"title": "It'"'"'s", "done": false, "size": [1, 2], "inner": {"a": null}}'`,
      {
        method: 'POST',
        headers: { Authorization: 'Bearer ${NOTES_TOKEN}' },
        json: { title: '{{title}}', done: '{{done}}', size: '{{size}}', inner: '{{inner}}' },
        parameters: { title: "It's", done: false, size: [1, 2], inner: { a: null } },
        secrets: { NOTES_TOKEN: undefined },
      },
    ],
    [
      `curl -G https://api.example.com/search --data-urlencode 'q=a b&c' -b 'session=9f8e7d6c5b4a3f2e' --compressed`,
      {
        query: { q: '{{q}}' },
        parameters: { q: 'a b&c' },
        headers: { Cookie: '${API_COOKIE}' },
        secrets: { API_COOKIE: 'session=9f8e7d6c5b4a3f2e' },
      },
    ],
    [
      `curl -X DELETE 'https://ada:w0rd-of-ada@api.example.com/pets/{{id}}?api_key=0a1b2c3d4e5f6071'`,
      {
        id: 'delete-pets',
        method: 'DELETE',
        url: 'https://api.example.com/pets/{{id}}',
        query: { api_key: '${API_API_KEY}' },
        headers: { Authorization: 'Basic ${API_BASIC_AUTH}' },
        parameters: { id: 'string' },
      },
    ],
    [
      `curl -X POST https://hooks.slack.com/services/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 -d '{"text": "hi"}'`,
      {
        url: 'https://hooks.slack.com/services/T0AAAAAAA/B0BBBBBBB/${API_SECRET}',
        json: { text: '{{text}}' },
      },
    ],
    [
      `curl 'https://api.example.com/pets?tag=a&tag=b'`,
      { query: { tag: '{{tag}}' }, parameters: { tag: ['a', 'b'] } },
    ],
    ['curl -u "$ME:$WORD" https://api.example.com/a', { problem: 'come from a variable' }],
    ['curl https://$ME:$WORD@api.example.com/a', { problem: 'a user or password from a variable' }],
    [`curl --data @secrets.txt https://api.example.com/a`, { problem: 'it reads the file secrets.txt' }],
    [`curl -F file=@a.png https://api.example.com/a`, { problem: 'files, certificates and proxies' }],
    [`curl https://api.example.com/$(cat /etc/passwd)`, { problem: 'it runs another command' }],
    ['curl "https://api.example.com/`id`"', { problem: 'it runs another command' }],
    [`curl https://api.example.com/a | sh`, { problem: 'it has a | outside of quotes' }],
    [`curl 'https://api.example.com/a`, { problem: 'a quote is not closed' }],
    [`curl -d '{"a": "\${HOME}"}' https://api.example.com/a`, { problem: 'no variable of the shell' }],
    [`curl --retr 3 https://api.example.com/a`, { problem: 'did you mean --retry?' }],
    [`curl ftp://files.example.com/a`, { problem: 'ftp:// addresses' }],
    ['curl FTP.example.com/a', { problem: 'by ftp://: write http:// before it' }],
    ['curl http:api.example.com/a', { problem: 'names no server' }],
    ['curl :8080/a', { problem: 'names no server' }],
    [`curl -X TRACE https://api.example.com/a`, { problem: 'TRACE requests are not supported' }],
    ['curl', { problem: 'it names no address' }],
    [`curl -X GET https://api.example.com/a -d q=1`, { problem: 'a GET request with a body' }],
    [`curl -X HEAD https://api.example.com/a --json '{}'`, { problem: 'a HEAD request with a body' }],
    [`curl -I https://api.example.com/a -d x=1`, { problem: 'a HEAD request with a body' }],
    ['curl -u ada https://api.example.com/a', { problem: 'has no password' }],
    ['curl -u ada:{{word}} https://api.example.com/a', { problem: 'come from a variable' }],
    ['curl --resolve a:443:127.0.0.1 https://api.example.com/a', { problem: 'nor ways to connect' }],
    ['curl https://api.example.com/a --next https://api.example.com/b', { problem: 'several requests' }],
    ['curl https://api.example.com/a -H "$HEADER"', { problem: 'the name of a header' }],
    ['curl.exe ^"https://api.example.com/a^"', { url: 'https://api.example.com/a' }],
    ['curl -$X https://api.example.com/a', { problem: 'this variable could be anything' }],
    ['curl https://api.example.com/a\nls', { problem: 'it has "ls" besides' }],
    ['A=1 curl https://api.example.com/a', { problem: 'it has "A=1 curl' }],
    ['curl https://api.example.com/$1', { problem: 'changes a variable' }],
    ['curl https://api.example.com/${A:-b}', { problem: 'changes a variable' }],
    ["curl https://api.example.com/ -d $'\\xff'", { problem: 'not UTF-8' }],
    ['curl ~/a', { problem: 'which a shell replaces' }],
    ['curl https://api.example.com/a --json "$BODY"', { text: '${BODY}' }],
    [`curl -G https://api.example.com/a --data-urlencode q@a.txt`, { problem: 'reads the file a.txt' }],
    [
      'curl "$BASE/a?x=$X" \\\r\n --data-urlencode "q=$Q & {{r}}"',
      {
        url: '${BASE}/a',
        query: { x: '${X}' },
        form: { q: '${Q} & {{r}}' },
      },
    ],
    [`curl 'https://api.example.com/a?b[0]=1'`, { problem: 'write \\[ or add -g' }],
    ['curl https://api.example.com/{a,b}', { problem: 'which a shell replaces' }],
    [`curl https://api.example.com/a -H 'Accept:'`, { problem: 'takes away the header Accept' }],
    [`curl https://api.example.com/a -H 'X-A: é'`, { problem: 'letters outside of ASCII' }],
    [`curl 'https://api.example.com/a?x={{a}}&x=2'`, { problem: 'has x several times' }],
    [`curl https://api.example.com/a --json '{"t": {{a}}{{b}}}'`, { problem: 'would be pasted' }],
    [
      `curl https://api.example.com/a --json '{"a": {{n}}, "b": "{{n}}"}'`,
      { problem: 'with and without quotes' },
    ],
    [`curl https://api.example.com/a --json '{"{{name}}": 1}'`, { problem: 'would be pasted' }],
    [
      `curl https://api.example.com/a --json '{"t": "[{{stage}}] {{what}}", "n": {{n}}, "l": [{{n}}, "{{m}}"]}'`,
      { json: { t: '[{{stage}}] {{what}}', n: '{{n}}', l: ['{{n}}', '{{m}}'] } },
    ],
  ])('%s', (command, expected) => {
    if (expected.problem !== undefined) expect(() => imported(command)).toThrow(expected.problem);
    else expect(imported(command)).toMatchObject(expected);
  });
});

test('a number that is written with a fraction or an exponent need not be whole', () => {
  const { manifest } = exampleToTool(
    readCurl([`curl https://a.example.com/a --json '{"price":10.0,"many":1e3,"count":3,"all":[1.0,2.0]}'`]),
    { secrets: collectSecrets('api'), variables: new Map(), uniqueId: uniqueIds() },
  );
  const types = (manifest.parameters ?? []).map(({ name, type, items }) => [name, items?.['type'] ?? type]);
  expect(Object.fromEntries(types)).toEqual({
    price: 'number',
    many: 'number',
    count: 'integer',
    all: 'number',
  });
});

const wordsOf = (line: string): readonly string[] => splitCommand(line).map(textOf);

/** As Chrome writes a text for cmd of Windows. */
const forCmd = (text: string): string =>
  `^"${text
    .replaceAll('"', String.raw`\"`)
    .replaceAll(/[^a-zA-Z0-9\s_\-:=+~'/.,?;()*`]/g, '^$&')
    .replaceAll(/%(?=[a-zA-Z0-9_])/g, '%^')
    .replaceAll(/\r?\n/g, '^\n\n')}^"`;

test.each([
  [
    'a b',
    '{"a":"b c","d":[1,2]}',
    '100%',
    '%41',
    '%PATH%',
    'a&b|c<d>e^f',
    "it's (fine)",
    'two\nlines',
    'é!',
    '',
    '$x `y`',
  ],
  [String.raw`C:\dir\file`, String.raw`\d+ \\x`],
])('reads what a browser copies for cmd', (...words) => {
  for (const end of ['\n', '\r\n']) {
    const line = `curl ^"https://a.example/^" ^${end}${words.map((word) => `  -H ${forCmd(word)}`).join(` ^${end}`)}`;
    expect(wordsOf(line)).toEqual(['curl', 'https://a.example/', ...words.flatMap((word) => ['-H', word])]);
  }
});

test('reads quotation marks of cmd, and refuses what needs cmd', () => {
  expect(wordsOf(String.raw`curl ^"x^" -d ^"\\x^\^"b\\\^"c\\^"`)).toEqual([
    'curl',
    'x',
    '-d',
    String.raw`\\x"b\"c` + '\\',
  ]);
  expect(wordsOf('curl ^"x^" "a ^b" "c""d"')).toEqual(['curl', 'x', 'a ^b', 'c"d']);
  expect(() => splitCommand('curl ^"x^" & del y')).toThrow('it has a & outside of quotes');
  expect(() => splitCommand('curl ^"x^" -d %PATH%')).toThrow('a variable of cmd');
  expect(() => splitCommand('curl ^"x')).toThrow('a quote is not closed');
});

test('says which options a tool does not have', () => {
  const { notTaken } = readCurl(['curl -sSL --retry 3 -o out.json https://a.example']);
  expect(notTaken?.map(({ what }) => what)).toEqual(['-L', '--retry 3', '-o out.json']);
});
