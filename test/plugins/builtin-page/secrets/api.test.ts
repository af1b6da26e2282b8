import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ToolResult } from '../../../../host/api/result.ts';
import type { SecretList, SecretRow } from '../../../../plugins/builtin-page/secrets/wire.ts';
import { pegboard } from '../../../kit/cli.ts';
import { manifest } from '../../../kit/homes/home.ts';
import { listedTool, listingEntry, listingServer } from '../../../kit/mcp/listing-server.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

const value = 'k9Zq-3vXw-7Rty-1uPo-5sDf';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage({
    'pegboard.yaml': `serve: { token: "\${SERVE_TOKEN:-none}" }
plugins: { shop: { trusted: true } }
mcpServers: ${JSON.stringify({
      notes: { ...listingEntry, env: { NOTES: '${NOTES_TOKEN}' } },
      drafts: { ...listingEntry, env: { NOTES: '${DRAFTS_TOKEN}' }, enabled: false },
    })}
`,
    '.env': 'DOTENV_KEY=short\n',
    ...listingServer([listedTool('one', 'The first')]),
    'spaces/work/agent/agent.yaml': `name: Work
description: Works
brain: { model: groq/llama }
tools: { modules: { web: { credential: WEB_TOKEN }, filesystem: {}, work: {} } }
`,
    'spaces/work/agent/tools/publish.md': manifest(
      'publish',
      'command: sh -c \'test -n "$TOKEN" && echo published\'\nenvironment: { TOKEN: "${REGISTRY_TOKEN}", REGION: "${WORK_REGION}", KEY: "${DOTENV_KEY}" }',
    ),
    'plugins/shop/plugin.yaml':
      'id: shop\nversion: "1.0.0"\ndescription: A shop\nrequires: { secrets: [SHOP_SECRET] }\n',
    'plugins/shop/index.ts': 'export default { setup: () => ({}) };\n',
  });
});
afterAll(() => page[Symbol.asyncDispose]());

async function provenPost(): Promise<(path: string, body?: unknown) => ReturnType<ServedPage['ask']>> {
  const session = await page.signIn();
  await page.ask('proof', { body: { code: page.code() }, session });
  return (path, body = {}) => page.ask(path, { body, session });
}
const list = async (): Promise<readonly SecretRow[]> => {
  const { body }: { readonly body: SecretList } = await page.ask('secrets');
  return body.secrets;
};
const rowOf = async (name: string): Promise<SecretRow> => (await list()).find((row) => row.name === name)!;
const grantOf = async (name: string): Promise<NonNullable<SecretRow['uses'][number]['grant']>> =>
  (await rowOf(name)).uses.find(({ kind }) => kind === 'tool')!.grant!;

const acts: readonly (readonly [string, unknown])[] = [
  ['secret-set/NOTES_TOKEN', { value }],
  ['secret-delete/SOME_KEY', {}],
  ['secret-grant/work.publish', { fingerprint: 'x' }],
  ['secret-revoke/work.publish', {}],
];

test('what something needs and does not have comes first, with what needs it', async () => {
  const secrets = await list();
  const missing = secrets.filter(({ uses }) => uses.some(({ isMissing }) => isMissing));
  expect(secrets.slice(0, missing.length)).toEqual(missing);
  const needs = (name: string): unknown =>
    missing
      .find((row) => row.name === name)
      ?.uses.filter(({ isMissing }) => isMissing)
      .map(({ kind, name: user }) => [kind, user]);
  expect(needs('NOTES_TOKEN')).toEqual([['server', 'notes']]);
  expect(needs('REGISTRY_TOKEN')).toEqual([['tool', 'work.publish']]);
  expect(needs('WORK_REGION')).toEqual([['tool', 'work.publish']]);
  // Tools of spaces don't get what is in .env.
  expect(needs('DOTENV_KEY')).toEqual([['tool', 'work.publish']]);
  expect(needs('WEB_TOKEN')).toEqual([['agent', 'work']]);
  expect(needs('GROQ_API_KEY')).toEqual([['agent', 'work']]);
  expect(needs('SHOP_SECRET')).toEqual([['plugin', 'shop']]);
  expect(await rowOf('DOTENV_KEY')).toMatchObject({ from: '.env' });
  // It has a default, and a server that is off needs nothing.
  expect(await rowOf('SERVE_TOKEN')).toEqual({
    name: 'SERVE_TOKEN',
    uses: [{ kind: 'setting', name: 'serve.token', place: 'pegboard.yaml:1', isMissing: false }],
  });
  expect(await rowOf('DRAFTS_TOKEN')).toMatchObject({ uses: [{ kind: 'server', isMissing: false }] });
});

test.each(acts)('%s needs a code, and changes nothing without one', async (path, body) => {
  await page.host.secrets.set('SOME_KEY', 'some-other-value-1234', 'owner');
  expect(await page.ask(path, { body })).toMatchObject({
    status: 403,
    body: { error: { code: 'PROOF_NEEDED' } },
  });
  expect(page.host.secrets.list().map(({ name }) => name)).toEqual(['SOME_KEY']);
  expect(page.host.approvals.list()).toEqual([]);
});

test.each(acts)('%s from a page of another origin is refused, code or not', async (path, body) => {
  const session = await page.signIn();
  await page.ask('proof', { body: { code: page.code() }, session });
  for (const origin of ['https://evil.example', 'http://127.0.0.1:9', undefined])
    expect(await page.ask(path, { body, session, changes: { origin } })).toMatchObject({ status: 403 });
  expect(page.host.secrets.get('NOTES_TOKEN')).toBeUndefined();
  expect(page.host.secrets.get('SOME_KEY')).toBeDefined();
});

test('a value is stored, starts what waited for it, and is found nowhere else', async () => {
  const proven = await provenPost();
  const ending = new AbortController();
  const events: unknown[] = [];
  const following = (async () => {
    for await (const event of page.events(ending.signal)) events.push(event);
  })().catch(() => {});
  const stored = await proven('secret-set/NOTES_TOKEN', { value });
  expect(stored).toEqual({
    status: 200,
    body: {
      message: 'NOTES_TOKEN is stored. Manifests and servers get it as ${NOTES_TOKEN}.',
      startedBefore: [],
    },
  });
  expect(page.host.secrets.get('NOTES_TOKEN')).toBe(value);
  await expect.poll(() => page.host.servers.get('notes')!.status().state).toBe('ready');
  expect(await rowOf('NOTES_TOKEN')).toMatchObject({ from: 'store', stored: { origin: 'owner' } });
  // Replaced: the server keeps what it has.
  const next = `${value}-2`;
  expect(await proven('secret-set/NOTES_TOKEN', { value: next })).toMatchObject({
    body: { startedBefore: [{ kind: 'server', name: 'notes' }] },
  });
  await page.ask('call', { body: { tool: 'filesystem.glob', args: { pattern: '*' } } });
  ending.abort();
  await following;
  expect(JSON.stringify([await list(), events])).not.toContain(value);
  const files = await readdir(join(page.home.path, 'data'), { recursive: true, withFileTypes: true });
  const holding = [];
  for (const file of files.filter((one) => one.isFile())) {
    const path = join(file.parentPath, file.name);
    if ((await readFile(path)).includes(value)) holding.push(file.name);
  }
  expect(holding).toEqual(['secrets.json']);
});

test('a plugin starts once its secret is there', async () => {
  const proven = await provenPost();
  const state = (): unknown => page.host.plugins.states.find(({ manifest }) => manifest.id === 'shop')?.state;
  expect(state()).toBe('failed');
  expect(await proven('secret-set/SHOP_SECRET', { value })).toMatchObject({ status: 200 });
  expect(state()).toBe('running');
  expect(await proven('secret-set/SHOP_SECRET', { value: `${value}-3` })).toMatchObject({
    body: { startedBefore: [{ kind: 'plugin', name: 'shop' }] },
  });
});

test.each([
  ['secret-set/a%20b', { value }, '"a b" can\'t be the name of a secret'],
  ['secret-set/SOME_KEY', { value: '' }, 'The secret SOME_KEY needs a value.'],
  ['secret-set/SOME_KEY', { value: 5 }, '"value" must be a text.'],
  ['secret-delete/SOME_KEI', {}, 'There is no secret "SOME_KEI". Did you mean SOME_KEY?'],
  ['secret-grant/work.nothing', { fingerprint: 'x' }, 'There is no tool "work.nothing"'],
  ['secret-grant/filesystem.read', {}, '"fingerprint" must be a text.'],
])('%s of %j says what is wrong', async (path, body, message) => {
  const proven = await provenPost();
  expect(await proven(path, body)).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining(message) } },
  });
});

test('the command line says the same', async () => {
  const run = (...args: string[]) => pegboard(args, { home: page.home.path, input: value });
  expect((await run('secret', 'set', 'a b')).stderr).toContain('"a b" can\'t be the name of a secret');
  expect((await run('secret', 'delete', 'SOME_KEI')).stderr).toContain(
    'There is no secret "SOME_KEI". Did you mean SOME_KEY?',
  );
});

test('a tool is let have its secrets as it was shown, and they are taken back', async () => {
  const proven = await provenPost();
  for (const name of ['REGISTRY_TOKEN', 'WORK_REGION', 'DOTENV_KEY'])
    await proven(`secret-set/${name}`, { value: `${value}-${name}` });
  const run = async (): Promise<ToolResult> =>
    await page.host.dispatch({
      name: 'work.publish',
      args: {},
      scope: page.host.scopeFor('work'),
      caller: 'schedule/1',
    });
  expect(await run()).toMatchObject({ error: { code: 'PEG_NOBODY_TO_ASK' } });
  const shown = await grantOf('REGISTRY_TOKEN');
  expect(shown).toMatchObject({ state: 'asks', runs: expect.stringContaining('echo published') });
  expect(shown.secrets.toSorted()).toEqual(['DOTENV_KEY', 'REGISTRY_TOKEN', 'WORK_REGION']);

  const path = 'spaces/work/agent/tools/publish.md';
  const text = await page.home.read(path);
  await page.home.write(path, text.replace('echo published', 'echo "$TOKEN" | rev'));
  await expect.poll(async () => (await grantOf('REGISTRY_TOKEN')).runs).toContain('rev');
  const { fingerprint } = shown;
  expect(await proven('secret-grant/work.publish', { fingerprint })).toMatchObject({
    status: 422,
    body: { error: { code: 'PEG_DENIED' } },
  });
  await page.home.write(path, text);
  await expect.poll(async () => (await grantOf('REGISTRY_TOKEN')).fingerprint).toBe(fingerprint);
  expect(await proven('secret-grant/work.publish', { fingerprint })).toMatchObject({
    status: 200,
    body: {
      message: expect.stringMatching(/^work\.publish gets .*without asking, until its manifest changes\.$/),
    },
  });
  expect(await grantOf('REGISTRY_TOKEN')).toMatchObject({ state: 'given' });
  expect((await run()).error).toBeUndefined();
  expect(await proven('secret-revoke/work.publish')).toMatchObject({
    body: { message: 'work.publish asks again before it runs.' },
  });
  expect(await run()).toMatchObject({ error: { code: 'PEG_NOBODY_TO_ASK' } });
});

test('a secret is deleted, and what names it misses it', async () => {
  const proven = await provenPost();
  await proven('secret-set/REGISTRY_TOKEN', { value });
  expect(await proven('secret-delete/REGISTRY_TOKEN')).toMatchObject({
    status: 200,
    body: { message: 'REGISTRY_TOKEN is deleted.' },
  });
  const row = await rowOf('REGISTRY_TOKEN');
  expect(row.from).toBeUndefined();
  expect(row.uses).toMatchObject([{ name: 'work.publish', isMissing: true }]);
});
