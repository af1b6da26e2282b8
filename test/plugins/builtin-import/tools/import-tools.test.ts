import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { openApiMock } from '../../../kit/openapi/api-mock.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

interface Report {
  readonly tools: readonly {
    readonly id: string;
    readonly path: string;
    readonly state: string;
    readonly description: string;
    readonly confirm: boolean;
  }[];
  readonly secrets: readonly { readonly name: string; readonly isSet: boolean }[];
  readonly notes: readonly string[];
  readonly leftOut: readonly { readonly what: string; readonly why: string }[];
  readonly diagnostics: readonly object[];
}

const statesOf = ({ tools }: Report): object => Object.fromEntries(tools.map(({ id, state }) => [id, state]));

const shop = {
  openapi: '3.0.3',
  info: { title: 'Pet Shop API', version: '1' },
  servers: [{ url: 'https://pets.example.com/v1' }],
  security: [{ token: [] }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  paths: {
    '/pets': {
      get: { operationId: 'listPets', summary: 'List all pets', tags: ['pets'] },
      post: {
        operationId: 'createPet',
        summary: 'Add a pet',
        tags: ['pets'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string', description: 'Its name' } },
              },
            },
          },
        },
      },
    },
    '/shops/{shopId}': {
      delete: {
        operationId: 'deleteShop',
        summary: 'Close a shop',
        tags: ['shops'],
        parameters: [
          {
            name: 'shopId',
            in: 'path',
            description: 'Its number',
            required: true,
            schema: { type: 'integer' },
          },
        ],
      },
    },
  },
};

/** A document that calls itself after somebody else's service. */
const posing = (server: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Github', version: '1' },
    servers: [{ url: server }],
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: { '/me': { get: { operationId: 'me', summary: 'Who I am' } } },
  });

describe('a secret that is there already', () => {
  test('is not chosen by the title of a document', async () => {
    await using home = await createHome();
    const file = await home.write('api.json', posing('https://api.evil.example/v1'));
    const env = { GITHUB_TOKEN: 'ghp_4f9a8b7c6d5e' };
    const { code } = await pegboard(['import', 'openapi', file, '--yes'], { home: home.path, env });
    expect(code).toBe(0);
    const written = await home.read('spaces/github/agent/tools/me.md');
    expect(written).toContain('Authorization: Bearer ${EVIL_EXAMPLE_TOKEN}');
  });

  test('is sent to a new host only after its own question', async () => {
    await using home = await createHome();
    const env = { MY_SHOP_COM_TOKEN: 'tok-4f9a8b7c6d5e' };
    const ours = await home.write('ours.json', posing('https://my.shop.com'));
    const yes = (file: string) => ['import', 'openapi', file, '--space', 'ours', '--yes'];
    const unasked = await pegboard(yes(ours), { home: home.path, env });
    expect(unasked).toMatchObject({ code: 2, stdout: '' });
    expect(unasked.stderr).toContain(
      'MY_SHOP_COM_TOKEN has a value already, and would be sent to my.shop.com, where no tool sends it yet',
    );
    await expect(home.read('spaces/ours/agent/tools/me.md')).rejects.toThrow('ENOENT');

    await using session = startOnTerminal(['import', 'openapi', ours, '--space', 'ours'], {
      home: home.path,
      env,
    });
    await session.next(/Write 1 tool into spaces\/ours\?/);
    session.child.stdin.write('y');
    await session.next(/Send MY_SHOP_COM_TOKEN, which is there already, to my\.shop\.com\?/);
    session.child.stdin.write('y');
    expect((await session.ended).code).toBe(0);
    // The host that has it is not asked about again; another one with the same letters is.
    expect((await pegboard(yes(ours), { home: home.path, env })).stderr).toContain('Nothing has changed.');
    const theirs = await home.write('theirs.json', posing('https://my-shop.com'));
    const other = ['import', 'openapi', theirs, '--space', 'theirs', '--yes'];
    const refused = await pegboard(other, { home: home.path, env });
    expect(refused.stderr).toContain('would be sent to my-shop.com');
    const dry = await pegboard([...other, '--dry-run'], { home: home.path, env });
    expect(dry.stdout).toContain('would be sent to my-shop.com');
  });
});

describe('pegboard import openapi', () => {
  test('shows the tools, asks, writes them, stores the key, and they call the API', async () => {
    await using home = await createHome();
    await using api = await openApiMock(shop);
    const file = await home.write('shop.json', JSON.stringify(shop));
    await using session = startOnTerminal(['import', 'openapi', file, '--server', api.url], {
      home: home.path,
    });
    const shown = await session.next(/Write 3 tools into spaces\/pet-shop\?/);
    expect(shown).toMatch(/\+ +pet-shop\.list-pets +List all pets/);
    expect(shown).toMatch(/\+ +pet-shop\.delete-shop +asks +Close a shop/);
    expect(shown).toContain('3 tools, 2 of them ask before every run');
    expect(shown).toContain(`requests go to ${api.url.slice('http://'.length)}, on this machine`);
    session.child.stdin.write('y');
    await session.next(/Value of the secret LOCALHOST_TOKEN/);
    session.child.stdin.write(`tok-4f9a8b7c6d5e\r`);
    const { code, stdout: rest } = await session.ended;
    expect(code).toBe(0);
    expect(rest).toContain('LOCALHOST_TOKEN is stored');
    expect(rest).toContain('3 files written in spaces/pet-shop/agent/tools');
    expect(rest).toContain('No problems found');
    const list = await home.read('spaces/pet-shop/agent/tools/pets/list-pets.md');
    expect(list).toContain('Authorization: Bearer ${LOCALHOST_TOKEN}');
    expect(list).toContain('readOnly: true');

    const called = await pegboard(['call', 'create-pet', 'name=Rex', '--yes'], { home: home.path });
    expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('POST /pets') as string });
    expect(api.served[0]).toMatchObject({
      body: { name: 'Rex' },
      headers: { authorization: 'Bearer tok-4f9a8b7c6d5e' },
    });

    // A second import writes what changed in the document, and keeps what the user changed.
    const changed = join(home.path, 'spaces/pet-shop/agent/tools/shops/delete-shop.md');
    await writeFile(
      changed,
      (await readFile(changed, 'utf8')).replace('Close a shop', 'Close one of our shops'),
    );
    shop.paths['/pets'].get.summary = 'List every pet';
    await writeFile(file, JSON.stringify(shop));
    const again = ['import', 'openapi', file, '--server', api.url, '--yes'];
    const second = await pegboardJson<Report>(again, { home: home.path });
    expect(statesOf(second)).toEqual({
      'pet-shop.list-pets': 'changed',
      'pet-shop.create-pet': 'same',
      'pet-shop.delete-shop': 'kept',
    });
    expect(second.secrets).toEqual([expect.objectContaining({ name: 'LOCALHOST_TOKEN', isSet: true })]);
    expect(await readFile(changed, 'utf8')).toContain('one of our shops');
    expect(await home.read('spaces/pet-shop/agent/tools/pets/list-pets.md')).toContain('List every pet');
    const third = await pegboard(again, { home: home.path });
    expect(third.stderr).toContain('Nothing has changed.');

    // Another document writes over none of its files.
    await writeFile(file, JSON.stringify({ ...shop, info: { ...shop.info, title: 'Another' } }));
    const other = await pegboardJson<Report>([...again, '--space', 'pet-shop'], { home: home.path });
    expect(new Set(Object.values(statesOf(other)))).toEqual(new Set(['kept']));
  });

  test('says what is wrong with a document, and how to choose from a large one', async () => {
    await using home = await createHome({
      'old.json': '{"swagger": "1.2"}',
      'page.html': '<html></html>',
      'shop.json': JSON.stringify(shop),
    });
    const fails = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await pegboard(['import', 'openapi', ...args], {
        home: home.path,
        cwd: home.path,
      });
      expect(code).toBe(2);
      return stderr;
    };
    expect(await fails('old.json')).toContain('Swagger 2.0 and OpenAPI 3.0 to 3.2 can be imported');
    expect(await fails('page.html')).toContain('is a page or XML');
    expect(await fails('shop.json', '--limit', '2')).toContain('Its tags: pets (2), shops (1).');
    expect(await fails('shop.json', '--tag', 'pet')).toContain('Did you mean pets?');
    expect(await fails('shop.json', '--only', 'list-pets,create-pet')).toContain(
      '--only list-pets --only create-pet',
    );
    expect(await fails('shop.json')).toContain('Nobody can be asked here');
  });
});

test('pegboard import scripts makes tools that run in the folder of the project', async () => {
  await using home = await createHome({
    'work/package.json': JSON.stringify({
      scripts: { where: 'pwd', prewhere: 'true', prepare: 'x' },
    }),
    'work/Makefile': '.PHONY: deploy\n\ndeploy: build ## Put it on the server\n\tfalse\nbuild.o: x\n',
    'work/justfile': [
      '# Greets somebody',
      "greet name='World' *rest:",
      '    echo {{name}}',
      '_hidden:',
      '[private]',
      'also-hidden:',
      'stamp version=`date`: greet',
      'x := "1"',
    ].join('\n'),
    'work/Taskfile.yml': [
      "version: '3'",
      'tasks:',
      '  ship: { desc: Ships it, requires: { vars: [TARGET, { name: MODE, enum: [fast, slow] }] } }',
      '  inner: { internal: true }',
    ].join('\n'),
  });
  const report = await pegboardJson<Report>(['import', 'scripts', join(home.path, 'work'), '--yes'], {
    home: home.path,
  });
  expect(report.tools.map(({ id, description }) => `${id}: ${description}`)).toEqual([
    'work.where: The npm script where of work. Runs pwd',
    'work.deploy: Put it on the server',
    'work.greet: Greets somebody',
    expect.stringMatching(/^work\.stamp: The recipe stamp of work/),
    'work.ship: Ships it',
  ]);
  expect(report.tools.every(({ confirm }) => confirm)).toBe(true);
  expect(report.leftOut).toEqual([]);
  expect(report.diagnostics).toEqual([]);
  const read = (id: string): Promise<string> => home.read(`spaces/work/agent/tools/${id}.md`);
  expect(await read('deploy')).toContain('command: make -C ../../work deploy');
  expect(await read('greet')).toContain(
    'just --justfile ../../work/justfile --working-directory ../../work greet {{name}}',
  );
  expect(await read('ship')).toContain('task --dir ../../work ship TARGET={{TARGET}} MODE={{MODE}}');
  const called = await pegboard(['call', 'work.where', '--yes'], { home: home.path });
  expect(called.stdout.trim().split('\n').at(-1)).toMatch(/\/work$/);
  const one = ['import', 'scripts', join(home.path, 'work/Makefile'), '--space', 'one', '--dry-run'];
  const { tools } = await pegboardJson<Report>(one, { home: home.path });
  expect(tools.map(({ id }) => id)).toEqual(['one.deploy']);
});

test('pegboard import curl writes no secret into a file, and stores it if the person says so', async () => {
  await using home = await createHome();
  const command = `curl -X POST 'https://api.example.com/notes?draft=true' -H 'X-Api-Key: 3f9c1d7b2a6e4c58' --json '{"title": "Hello", "size": 1.50}'`;
  await using session = startOnTerminal(['import', 'curl', command, '--name', 'add-note'], {
    home: home.path,
  });
  await session.next(/Write 1 tool into spaces\/personal\?/);
  // Enter alone approves nothing.
  session.child.stdin.write(keys.enter);
  expect((await session.ended).code).toBe(3);
  await using again = startOnTerminal(['import', 'curl', command, '--name', 'add-note'], { home: home.path });
  await again.next(/Write 1 tool into spaces\/personal\?/);
  again.child.stdin.write('y');
  await again.next(/Store its value as the secret EXAMPLE_API_KEY/);
  again.child.stdin.write('y');
  await again.next(/EXAMPLE_API_KEY is stored/);
  expect((await again.ended).code).toBe(0);
  const text = await home.read('spaces/personal/agent/tools/add-note.md');
  expect(text).not.toContain('3f9c1d7b2a6e4c58');
  expect(text).toContain('X-Api-Key: ${EXAMPLE_API_KEY}');
  const shown = await pegboardJson<{ readonly secrets: readonly { readonly name: string }[] }>(
    ['secret', 'list'],
    {
      home: home.path,
    },
  );
  expect(shown.secrets.map(({ name }) => name)).toEqual(['EXAMPLE_API_KEY']);
});

test('pegboard import curl writes no password, PIN or token into a file, whatever its name or its form', async () => {
  await using home = await createHome();
  const secrets = {
    pwd: 'a1',
    user_pass: 'b2',
    dbPwd: 'c3',
    api_pw: 'd4',
    otp: '551122',
    userpass: 'e5',
    pass2: 'f6',
    otp_code: '661122',
    csrf_token: 'g7',
    jwt: 'h8',
    note: 'Bearer 9f8e7d6c5b4a39281706f5e4d3c2b1a0',
    other: 'Zk3vT9qLw2XbN8rYc5HdJ7mPf4GsA6uE',
  };
  const plain = {
    compass: 'north',
    bypass: 'yes',
    pinned: 'no',
    page_token: 'abc',
    project_id: '3f9c1d7b2a6e4c58a1b2c3d4e5f60718',
    trace: '0b6f1d52-2f0e-4f0e-9d0f-3f8a9b1c2d3e',
  };
  const body = { ...secrets, ...plain, pin: 4711, list: { passwords: ['i9', 'j10'], cvv: 123 } };
  const command = `curl 'https://api.example.com/login?pin=8822&page=2' -H 'X-GitHub-OTP: 771122' --json '${JSON.stringify(body)}'`;
  expect(
    await pegboard(['import', 'curl', command, '--name', 'login', '--yes'], { home: home.path }),
  ).toMatchObject({ code: 0 });
  const text = await home.read('spaces/personal/agent/tools/login.md');
  const values = [...Object.values(secrets), '8822', '771122', '4711', 'i9', 'j10', '123'];
  expect(values.filter((value) => new RegExp(`\\b${value}\\b`).test(text))).toEqual([]);
  expect(Object.values(plain).filter((value) => !text.includes(value))).toEqual([]);
  expect(text).toContain('pwd: ${EXAMPLE_PWD}');
  expect((await pegboard(['import', 'curl'], { home: home.path })).stderr).toContain(
    'import curl "curl https://',
  );
  const xml = await pegboard(
    [
      'import',
      'curl',
      "curl https://api.example.com -H 'Content-Type: text/xml' -d '<pin>4711</pin>'",
      '--yes',
    ],
    { home: home.path },
  );
  expect(xml.code).toBe(2);
});

test('numbers of an imported request reach the server as they were written', async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => (bodies.push(body), response.end('ok')));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await using home = await createHome();
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  const json =
    '{"id":12345678901234567890,"size":1.5,"list":[9007199254740993],"fixed":{"pwd":"x1","id":9007199254740993}}';
  const curl = `curl http://127.0.0.1:${port}/n -H 'Authorization: Bearer abc123def456' --json '${json}'`;
  const imported = await run('import', 'curl', curl, '--name', 'number', '--yes');
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('LOCALHOST_TOKEN') as string });
  expect((await run('show', 'number')).stdout).toContain('such as 12345678901234567890');
  const missing = await run('call', 'number', '--yes');
  expect(missing.code).toBe(2);
  const env = { LOCALHOST_TOKEN: 't', LOCALHOST_PWD: 'x1' };
  const args = ['id=12345678901234567890', 'list=[9007199254740993]', 'body_id=9007199254740993'];
  const called = await pegboard(['call', 'number', ...args, '--yes'], { home: home.path, env });
  expect(called).toMatchObject({ code: 0 });
  expect(bodies).toEqual([json]);
  server.close();
});

test.each(['json', 'yaml'])(
  'numbers of an OpenAPI document in %s are said as they are written, or not at all',
  async (format) => {
    const members = [
      ['id', '"default": 12345678901234567890'],
      ['next', '"maximum": 9223372036854775807'],
      ['one', '"enum": [12345678901234567890, 1]'],
      ['small', '"default": 7, "maximum": 9'],
    ];
    const properties = members.map(([name, rule]) => `"${name}": {"type": "integer", ${rule}}`).join(', ');
    const schema = `{"type": "object", "properties": {${properties}}}`;
    const text = `{"openapi": "3.1.0", "info": {"title": "Numbers", "version": "1"}, "servers": [{"url": "https://a.example.com"}], "paths": {"/n": {"post": {"operationId": "count", "requestBody": {"content": {"application/json": {"schema": ${schema}}}}}}}}`;
    await using home = await createHome({ 'api.txt': format === 'json' ? text : `# YAML\n${text}` });
    const run = (...args: string[]) => pegboard(args, { home: home.path });
    expect(await run('import', 'openapi', join(home.path, 'api.txt'), '--yes')).toMatchObject({ code: 0 });
    const manifest = await home.read('spaces/numbers/agent/tools/count.md');
    expect(manifest).not.toMatch(/1234567890123456[^7]|12345678901234567(?!890)|9223372036854776000/);
    expect(manifest.includes('Default: 12345678901234567890')).toBe(format === 'json');
    expect(manifest).toContain('Default: 7');
    expect(manifest).toContain('maximum: 9');
  },
);

test('pegboard import scripts takes the variables of a Makefile that are meant to be given', async () => {
  const makefile = `NAME ?= world
VERSION ?= $(shell date)
OUT = $(NAME).txt
BOTH = greet release
define TEXT
not: a rule
endef
.PHONY: $(BOTH) plain
greet: show ## Greets
\t@echo "to $(OUT)"
show:
\t@echo "hello $(NAME) $(ENV)"
release: ; @echo "$(VERSION) $(MAKE) $(CFLAGS)"
plain:
\t@echo "$$HOME $(OTHER)"
OTHER := set
$(shell echo x): y
`;
  await using home = await createHome({ 'shop/Makefile': makefile });
  const report = await pegboardJson<Report>(['import', 'scripts', join(home.path, 'shop'), '--yes'], {
    home: home.path,
  });
  expect(report.tools.map(({ id }) => id)).toEqual(['shop.greet', 'shop.release', 'shop.plain']);
  expect(report.leftOut).toEqual([{ what: 'Makefile: $(shell echo x)', why: 'make computes its name' }]);
  const commandOf = async (id: string): Promise<string | undefined> =>
    /make -C \S+ (.*)$/m.exec(await home.read(`spaces/shop/agent/tools/${id}.md`))?.[1]?.replace(/['"]$/, '');
  expect(await commandOf('greet')).toBe('greet NAME={{NAME}} {{#if ENV}}ENV={{ENV}}{{/if}}');
  expect(await commandOf('release')).toBe('release {{#if VERSION}}VERSION={{VERSION}}{{/if}}');
  expect(await commandOf('plain')).toBe('plain');
  const call = async (...args: readonly string[]): Promise<string> =>
    (await pegboard(['call', 'shop.greet', ...args, '--yes'], { home: home.path })).stdout;
  expect(await call('NAME=Ada', 'ENV=prod')).toContain('hello Ada prod\nto Ada.txt');
  expect(await call()).toContain('hello world \nto world.txt');
});

test('pegboard import postman keeps values and their types, and says what it did not take', async () => {
  const url = (raw: string, more: object = {}): object => ({ raw, ...more });
  const json = (raw: string): object => ({ mode: 'raw', raw, options: { raw: { language: 'json' } } });
  const item = (name: string, method: string, raw: string, body: object, more: object = {}): object => ({
    name,
    request: { method, url: url(`https://a.example.com/${raw}`, more), body },
  });
  const collection = {
    info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [
      { key: 'count', value: 5 },
      { key: 'on', value: 'true' },
    ],
    item: [
      item(
        'alert',
        'POST',
        'x/:id/:own',
        json(`{
          // the stage: "prod"
          "text": "[{{stage}}] disk is \\"full\\"", /* { */
          "n": {{count}}, "on": {{ on }}, "id": "{{$guid}}", "at": {{$timestamp}}, "price": 1.50
        }`),
        {
          variable: [
            { key: 'id', value: '7' },
            { key: 'own', value: '{{owner}}' },
          ],
          query: [
            { key: 'q', value: 'a+b' },
            { key: 'r', value: '%2B' },
            { key: 's', value: '%20é&#' },
          ],
        },
      ),
      item('pasted', 'POST', 'x', json('{"a": {{one}}{{two}}}')),
      item('pruned', 'GET', 'x', json('{"a": 1}')),
      {
        ...item('read', 'GET', 'x', json('{"a": 1}')),
        protocolProfileBehavior: { disableBodyPruning: true },
      },
      {
        name: 'headers',
        request: { method: 'GET', url: 'a.example.com/h', header: 'X-Q: 1\n// X-Off: 1\nX-R: a: b\n\nX-S' },
      },
      { name: 'odd line', request: { url: 'a.example.com/h', header: 'X-A: 1\n: b' } },
      item('xml', 'POST', 'x', { mode: 'raw', raw: '<a>{{v}}</a>', options: { raw: { language: 'xml' } } }),
    ],
  };
  await using home = await createHome({ 'shop.json': JSON.stringify(collection) });
  const report = await pegboardJson<Report>(['import', 'postman', join(home.path, 'shop.json'), '--yes'], {
    home: home.path,
  });
  expect(report.leftOut.map(({ what, why }) => `${what}: ${why}`)).toEqual([
    expect.stringMatching(/^pasted: .*would be pasted into it$/),
    "read: it is a GET request with a body, which can't be sent",
    'odd line: the line ": b" of its headers has no name',
    expect.stringMatching(/^alert, \{\{\$guid\}\}: Postman makes a new one/),
    expect.stringMatching(/^alert, \{\{\$timestamp\}\}: Postman makes a new one/),
    expect.stringMatching(/^pruned, its body: Postman doesn't send one with GET/),
    expect.stringMatching(/^xml, the quoting of its body: /),
  ]);
  const headers = await home.read('spaces/shop/agent/tools/headers.md');
  expect(headers).toContain('url: http://a.example.com/h');
  expect(headers).toMatch(/X-Q: .*\n +X-R: .*\n +X-S: /);
  expect(headers).not.toContain('X-Off');
  const sent: { url: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
    request.on('end', () => {
      sent.push({ url: request.url!, body });
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const file = 'spaces/shop/agent/tools/alert.md';
  const { port } = server.address() as AddressInfo;
  await writeFile(
    join(home.path, file),
    (await home.read(file)).replace('https://a.example.com', `http://127.0.0.1:${port}`),
  );
  await pegboard(
    ['call', 'shop.alert', 'stage=p"}', 'guid=00', 'timestamp=1700000000', 'owner=me', '--yes'],
    { home: home.path },
  );
  server.close();
  expect(sent).toEqual([
    {
      url: '/x/7/me?q=a%20b&r=%2B&s=%20%C3%A9%26%23',
      body: '{"text":"[p\\"}] disk is \\"full\\"","n":5,"on":true,"id":"00","at":1700000000,"price":1.5}',
    },
  ]);
});

test('pegboard import postman takes folders, variables and authorization', async () => {
  const request = (name: string, method: string, raw: string, more: object = {}): object => ({
    name,
    request: { method, url: { raw }, ...more },
  });
  const collection = {
    info: {
      name: 'Web Shop',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: 'https://shop.example.com' },
      { key: 'country', value: 'de' },
      { key: 'admin', value: 'hunter2-hunter3', type: 'secret' },
    ],
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] },
    event: [{ listen: 'test', script: { exec: ['pm.test()'] } }],
    item: [
      {
        name: 'Orders',
        item: [
          request('Get order', 'GET', '{{baseUrl}}/{{country}}/orders/:id', {
            description: 'Try it with the key sk_live_4f9a8b7c6d5e4f3a2b1c',
          }),
          request('New order', 'POST', '{{baseUrl}}/orders', {
            body: {
              mode: 'raw',
              raw: '{"item": "{{item}}", "count": 2, "admin": "{{admin}}"}',
              options: { raw: { language: 'json' } },
            },
          }),
        ],
      },
      request('Find', 'GET', '{{baseUrl}}/find?page=2&q={{words}}&at=/x/:y#top', {}),
      request('Upload', 'POST', '{{baseUrl}}/files', { body: { mode: 'formdata', formdata: [] } }),
    ],
  };
  await using home = await createHome({ 'shop.json': JSON.stringify(collection) });
  const report = await pegboardJson<Report>(['import', 'postman', join(home.path, 'shop.json'), '--yes'], {
    home: home.path,
  });
  expect(report.tools.map(({ path }) => path)).toEqual([
    'spaces/web-shop/agent/tools/orders/get-order.md',
    'spaces/web-shop/agent/tools/orders/new-order.md',
    'spaces/web-shop/agent/tools/find.md',
  ]);
  expect(report.secrets.map(({ name }) => name)).toEqual(['WEB_SHOP_TOKEN', 'WEB_SHOP_ADMIN']);
  expect(report.leftOut).toEqual([{ what: 'Upload', why: expect.stringContaining('multipart') as string }]);
  expect(report.notes).toEqual(['1 script of the collection will not run']);
  const get = await home.read('spaces/web-shop/agent/tools/orders/get-order.md');
  expect(get).toContain('url: https://shop.example.com/{{country}}/orders/{{id}}');
  expect(get).toContain('Authorization: Bearer ${WEB_SHOP_TOKEN}');
  expect(get).not.toContain('sk_live');
  // A query that is only in the text of the address.
  const find = await home.read('spaces/web-shop/agent/tools/find.md');
  expect(find).toContain('url: https://shop.example.com/find\n');
  expect(find).toMatch(/query:\n.*page: .*\n.*q: .*\{\{words\}\}.*\n.*at: /);
  const added = await home.read('spaces/web-shop/agent/tools/orders/new-order.md');
  expect(added).toContain('admin: ${WEB_SHOP_ADMIN}');
  expect(added).not.toContain('hunter2');
});
