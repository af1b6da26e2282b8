import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  AddedRow,
  ClientRow,
  DraftRow,
  FoundDetails,
  LoginRow,
  ServerDetails,
  WantedServer,
} from '../../../../plugins/builtin-page/servers/wire.ts';
import type { PendingRow } from '../../../../plugins/builtin-page/wire.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { listedTool, listingEntry, listingServer } from '../../../kit/mcp/listing-server.ts';
import { startOAuthServer, type OAuthServer } from '../../../kit/mcp/mcp-oauth-server.ts';
import { openRegistryServer, type TestRegistry } from '../../../kit/mcp/mcp-registry.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';
import { surroundingsWith } from '../../../kit/surroundings.ts';

const secret = 'k9Zq-3vXw-7Rty-1uPo-5sDf';
const registered = {
  name: 'io.github.someone/weather',
  version: '1.0.0',
  packages: [
    {
      registryType: 'npm',
      identifier: '@someone/weather',
      version: '1.0.0',
      transport: { type: 'stdio' },
      environmentVariables: [
        { name: 'WEATHER_KEY', isSecret: true, isRequired: true, description: 'A key' },
        { name: 'WEATHER_PLACE', isRequired: true },
      ],
      packageArguments: [{ type: 'named', name: '--city', isRequired: true, description: 'Where' }],
    },
  ],
};
const typed = {
  from: 'typed',
  name: 'typed',
  target: `${process.execPath} server.mjs "two words"`,
  values: { NOTES_TOKEN: secret, LOG: 'all' },
} as const satisfies WantedServer;

let page: ServedPage;
let registry: TestRegistry;
let login: OAuthServer;
let client: TestHome;
beforeAll(async () => {
  registry = await openRegistryServer([registered]);
  login = await startOAuthServer();
  client = await createHome({
    '.claude.json': JSON.stringify({
      mcpServers: { imported: { ...listingEntry, env: { OTHER_TOKEN: `${secret}-2` } } },
    }),
  });
  const files = {
    'pegboard.yaml': `mcpRegistry: ${registry.url}\nmcpServers: ${JSON.stringify({
      changing: listingEntry,
      private: { url: `${login.url}/mcp` },
    })}\n`,
    '.mcp.json': JSON.stringify({ mcpServers: { shared: listingEntry } }),
    ...listingServer([listedTool('one', 'The first')]),
  };
  const surroundings = surroundingsWith({ CLAUDE_CONFIG_DIR: client.path });
  page = await servePage(files, undefined, { surroundings });
});
afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await login[Symbol.asyncDispose]();
  await client[Symbol.asyncDispose]();
});

/** In a session that has shown who it is. */
async function provenPost(): Promise<(path: string, body: unknown) => ReturnType<ServedPage['ask']>> {
  const session = await page.signIn();
  await page.ask('proof', { body: { code: page.code() }, session });
  return (path, body) => page.ask(path, { body, session });
}
const post = (path: string, body: unknown = {}): ReturnType<ServedPage['ask']> => page.ask(path, { body });
const draft = async (wanted: WantedServer): Promise<DraftRow> => (await post('server-draft', wanted)).body;
const details = async (name: string): Promise<ServerDetails> => (await page.ask(`server/${name}`)).body;
const config = (): Promise<string> => page.home.read('pegboard.yaml');

test('without a code nothing is added, turned on, removed or approved', async () => {
  const before = [await config(), await page.home.read('.mcp.json')];
  const { shown } = await draft(typed);
  await page.ask('server-connect/changing', { body: {} });
  await page.home.write('tools.json', JSON.stringify([listedTool('one', 'The first, and more')]));
  await page.ask('server-connect/changing', { body: {} });
  const held = (await details('changing')).pending!;
  for (const [path, body] of [
    ['server-add', { ...typed, shown }],
    ['server-on/shared', {}],
    ['server-remove/changing', {}],
    ['pending/changing', { shown: held.shown }],
  ] as const)
    expect(await post(path, body), path).toMatchObject({
      status: 403,
      body: { error: { code: 'PROOF_NEEDED' } },
    });
  expect([await config(), await page.home.read('.mcp.json')]).toEqual(before);
  expect(page.host.secrets.list()).toEqual([]);
  expect(await details('changing')).toMatchObject({ state: 'held back', held: 1, tools: 0 });
});

test('an approval of a changed tool is for what was shown', async () => {
  const proven = await provenPost();
  const pending = async (): Promise<PendingRow> => (await details('changing')).pending!;
  const first = await pending();
  expect(first.detail).toContain('The first, and more');
  expect((await details('changing')).heldBack).toMatchObject([{ name: 'one', isChanged: true }]);
  await page.home.write('tools.json', JSON.stringify([listedTool('one', 'Something else')]));
  await post('server-connect/changing');
  expect(await proven('pending/changing', { shown: first.shown })).toMatchObject({
    status: 422,
    body: { error: { code: 'PEG_DENIED' } },
  });
  expect(await details('changing')).toMatchObject({ state: 'held back' });
  expect(await proven('pending/changing', { shown: (await pending()).shown })).toMatchObject({ status: 200 });
  expect(await details('changing')).toMatchObject({
    state: 'connected',
    offered: [{ id: 'changing.one', summary: 'Something else' }],
  });
});

test('a typed server is shown, then written with its secrets stored, and connected', async () => {
  const proven = await provenPost();
  const shown = await draft(typed);
  expect(shown).toMatchObject({
    runs: expect.stringContaining("server.mjs 'two words'"),
    values: [
      { name: 'NOTES_TOKEN', value: '${TYPED_NOTES_TOKEN}' },
      { name: 'LOG', value: 'all' },
    ],
    secrets: ['TYPED_NOTES_TOKEN'],
    gets: [],
  });
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(await proven('server-add', { ...typed, target: 'rm -rf x', shown: shown.shown })).toMatchObject({
    status: 422,
    body: { error: { code: 'PEG_DENIED' } },
  });
  const added = await proven('server-add', { ...typed, shown: shown.shown });
  expect(added).toMatchObject({ status: 200, body: { name: 'typed', secrets: ['TYPED_NOTES_TOKEN'] } });
  expect(await config()).not.toContain(secret);
  expect(page.host.secrets.get('TYPED_NOTES_TOKEN')).toBe(secret);
  await expect.poll(async () => (await details('typed')).state).toBe('connected');
  expect(JSON.stringify([added.body, await details('typed')])).not.toContain(secret);
  expect(await post('server-draft', typed)).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining('already a server typed') } },
  });
});

test.each([
  [{ name: 'a b' }, `can't be a server's name`],
  [{ name: 'x', target: '' }, 'Give a command'],
  [{ name: 'x', target: 'node "open' }, 'not closed'],
  [{ name: 'x', target: 'ftp://example.com' }, 'https:// or http://'],
  [{ name: 'x', values: { A: 1 } }, 'must have texts'],
  [{ from: 'nowhere' }, 'must be typed'],
])('a draft of %j says what is wrong', async (change, message) => {
  expect(await post('server-draft', { ...typed, ...change })).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining(message) } },
  });
});

test('a server is found in the registry, and added with its secret stored', async () => {
  const proven = await provenPost();
  expect((await page.ask('registry-search?q=weather')).body).toMatchObject({
    found: [{ entry: 'io.github.someone/weather', version: '1.0.0', kinds: ['npm'] }],
  });
  const entry: FoundDetails = (await page.ask('registry-entry?entry=io.github.someone/weather&version=1.0.0'))
    .body;
  expect(entry).toMatchObject({
    name: 'weather',
    ways: [
      {
        kind: 'npm',
        inputs: [
          { key: 'WEATHER_KEY', isSecret: true, isRequired: true },
          { key: 'WEATHER_PLACE', isSecret: false },
          { key: 'city', isSecret: false },
        ],
      },
    ],
  });
  const { kind, what } = entry.ways[0]!;
  const wanted = {
    from: 'registry',
    name: 'weather',
    entry: entry.entry,
    version: '1.0.0',
    kind,
    what,
  } as const;
  const open = await draft({ ...wanted, answers: { city: 'Oslo' } });
  const place = { name: 'WEATHER_PLACE', isSet: false };
  expect(open.gets).toEqual([{ name: 'WEATHER_KEY', isSet: false, description: 'A key' }, place]);
  const full = { ...wanted, answers: { city: 'Oslo', WEATHER_KEY: `${secret}-3` } };
  const shown = await draft(full);
  expect(shown).toMatchObject({
    runs: expect.stringMatching(/^npx .*@someone\/weather@1\.0\.0.* --city Oslo$/),
    secrets: ['WEATHER_KEY'],
    gets: [place],
  });
  expect(await proven('server-add', { ...full, shown: open.shown })).toMatchObject({ status: 422 });
  const added: AddedRow = (await proven('server-add', { ...full, shown: shown.shown })).body;
  expect(added).toEqual({ name: 'weather', secrets: ['WEATHER_KEY'], unset: ['WEATHER_PLACE'] });
  expect(page.host.secrets.get('WEATHER_KEY')).toBe(`${secret}-3`);
  expect(await config()).not.toContain(secret);
  // A secret that others may use keeps its value.
  const again = { ...full, name: 'again', answers: { city: 'Oslo', WEATHER_KEY: 'another' } };
  expect(await post('server-draft', again)).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining('WEATHER_KEY has another value') } },
  });
});

test("another client's server is imported without showing its secrets", async () => {
  const proven = await provenPost();
  const { servers } = (await page.ask('importable')).body as { readonly servers: readonly ClientRow[] };
  const row = servers.find(({ name }) => name === 'imported')!;
  const wanted = { from: 'client', name: row.name, client: row.client, path: row.path } as const;
  const shown = await draft(wanted);
  expect(shown.secrets).toEqual(['IMPORTED_OTHER_TOKEN']);
  expect(JSON.stringify([servers, shown])).not.toContain(secret);
  expect(await proven('server-add', { ...wanted, shown: shown.shown })).toMatchObject({ status: 200 });
  expect(page.host.secrets.get('IMPORTED_OTHER_TOKEN')).toBe(`${secret}-2`);
  await expect.poll(async () => (await details('imported')).state).toBe('connected');
});

test.each(['changing', 'shared'])(
  '%s is turned off and on, and removed, in the file that has it',
  async (name) => {
    const proven = await provenPost();
    expect(await post(`server-off/${name}`)).toMatchObject({ status: 200 });
    expect(await details(name)).toMatchObject({ state: 'off', tools: 0 });
    expect(page.host.registry.snapshot.find(`${name}.one`)).toBeUndefined();
    await proven(`server-on/${name}`, {});
    await expect.poll(async () => (await details(name)).state).toBe('connected');
    expect(await proven(`server-remove/${name}`, {})).toMatchObject({
      body: { files: [name === 'shared' ? '.mcp.json' : 'pegboard.yaml'] },
    });
    expect(await page.ask(`server/${name}`)).toMatchObject({ status: 422 });
  },
);

test('a login shows its address, takes that at which the browser ended, and connects', async () => {
  await post('server-connect/private');
  expect(await details('private')).toMatchObject({ state: 'needs a login' });
  const begun: LoginRow = (await post('server-login/private')).body;
  expect(begun).toMatchObject({
    state: 'waiting',
    address: expect.stringContaining(`${login.url}/authorize`),
  });
  expect((await post('server-login/private')).body).toEqual(begun);
  const row = async (): Promise<LoginRow> => (await page.ask('server-login/private')).body;
  await post('server-login-address/private', { address: 'what?' });
  await expect.poll(async () => (await row()).problem).toContain('not an address');
  const response = await fetch(begun.address!, { redirect: 'manual' });
  await post('server-login-address/private', { address: response.headers.get('location') });
  await expect.poll(row).toEqual({ state: 'done', missing: [] });
  expect(await details('private')).toMatchObject({ state: 'connected', tools: 1 });
  expect(await post('server-login-address/private', { address: 'x' })).toMatchObject({ status: 422 });
});

test('a login is given up', async () => {
  await post('server-login/private');
  await post('server-login-cancel/private');
  await expect
    .poll(async () => (await page.ask('server-login/private')).body)
    .toEqual({ state: 'failed', problem: 'You gave it up.' });
});
