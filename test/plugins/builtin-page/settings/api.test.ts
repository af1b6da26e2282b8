import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Check } from '../../../../host/api/diagnostic.ts';
import type { Checked, CheckPart, SettingsView } from '../../../../plugins/builtin-page/settings/wire.ts';
import { pegboardJson } from '../../../kit/cli.ts';
import { listedTool, listingEntry, listingServer } from '../../../kit/mcp/listing-server.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

/** Each in a place where a secret may be, and most in no form by which others would be known. */
const hidden = {
  token: 'plainword',
  password: 'hunter2',
  userinfo: 'pw1',
  header: 'justme',
  option: 'optval',
  parameter: 'parval',
  variable: 'envval',
  key: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END PRIVATE KEY-----',
  comment: 'ghp_0123456789abcdefghijklmn',
  fallback: 'defaultsecret99',
  shared: 'sharedval',
  quoted: 'a\\"b\\u0041c',
};

const yaml = `# Settings of the shop
name: Shop
confirm: manifest
retention:
  usage: 30
serve:
  token: ${hidden.token}
  allowedHosts: ["shop.example:80"]
# serve: { token: ${hidden.comment} }
#   password: "${hidden.password}"
plugins:
  shop:
    config:
      address: postgres://user:${hidden.userinfo}@db.example/shop
      password: ${hidden.password}
      private_key: |
        ${hidden.key.replaceAll('\n', '\n        ')}
      api_key: \${SHOP_KEY:-${hidden.fallback}}
      client_secret: "${hidden.quoted}"
      color: red
mcpServers:
  notes:
    command: ${JSON.stringify(listingEntry.command)}
    args: [server.mjs, --token, ${hidden.option}, "--api-key=${hidden.option}"]
    env: { LOG: ${hidden.variable}, OTHER: "\${OTHER_TOKEN:-x}" }
  far: { url: "https://far.example/mcp?key=${hidden.parameter}", enabled: false, headers: { X-Who: ${hidden.header} } }
`;

let page: ServedPage;
beforeAll(async () => {
  page = await servePage({
    'pegboard.yaml': yaml,
    'pegboard.local.yaml': 'retention: { toolResults: 7 }\nserve: { contextWindow: 5000 }\n',
    '.mcp.json': JSON.stringify(
      { mcpServers: { shared: { ...listingEntry, env: { A: hidden.shared } } } },
      null,
      2,
    ),
    ...listingServer([listedTool('one', 'The first')]),
    'plugins/shop/plugin.yaml': `id: shop
version: "1.0.0"
description: A shop
config: { type: object }
`,
    'plugins/shop/index.ts': 'export default { setup: () => ({}) };\n',
  });
});
afterAll(() => page[Symbol.asyncDispose]());

const view = async (): Promise<SettingsView> => (await page.ask('settings')).body;
const check = async (part: CheckPart, body = {}): Promise<readonly Check[]> => {
  const answer: { readonly body: Checked } = await page.ask(`check/${part}`, { body });
  return answer.body.checks;
};

test('each setting in force is shown with the file that sets it, and defaults with what they are', async () => {
  const { written, defaults, files, writesTo } = await view();
  const row = (name: string): unknown => written.find((one) => one.name === name);
  expect(row('name')).toMatchObject({ value: 'Shop', place: 'pegboard.yaml:2' });
  expect(row('retention.usage')).toMatchObject({ value: '30', place: 'pegboard.yaml:5' });
  expect(row('retention.toolResults')).toMatchObject({ value: '7', place: 'pegboard.local.yaml:1' });
  expect(row('serve.allowedHosts')).toMatchObject({ value: '["shop.example:80"]' });
  expect(row('plugins.shop.config.color')).toMatchObject({ value: 'red' });
  expect(row('serve.token')).toMatchObject({ value: '[secret]', place: 'pegboard.yaml:7' });
  expect(defaults).toContainEqual({
    name: 'provenance',
    value: 'strict',
    description: expect.stringContaining('tools ask'),
  });
  expect(defaults.map(({ name }) => name)).not.toContain('retention.usage');
  expect(files.map(({ name, exists }) => [name, exists])).toEqual([
    ['pegboard.yaml', true],
    ['pegboard.local.yaml', true],
    ['.mcp.json', true],
  ]);
  expect(writesTo).toBe('pegboard.local.yaml');
});

test('no secret is in what the page gets, in whatever form a file has it', async () => {
  const { body } = await page.ask('settings');
  const text = JSON.stringify(body);
  for (const [place, secret] of Object.entries(hidden))
    for (const line of secret.split('\n')) expect(text, place).not.toContain(line.trim());
  const [main, , shared] = (body as SettingsView).files;
  // What is no secret is there, comments too.
  for (const kept of [
    '# Settings of the shop',
    'color: red',
    'shop.example:80',
    '--token',
    'postgres://user:',
  ])
    expect(main!.text).toContain(kept);
  for (const escaped of ['u0041', 'bAc']) expect(text).not.toContain(escaped);
  expect(main!.text!.split('\n').length).toBeGreaterThan(25);
  expect(shared!.text).toContain('"A": "[secret]"');
});

test('a file that can’t be used is not shown, what it said before stays in force, and both are said', async () => {
  await page.home.write('pegboard.yaml', `name: [\n  token: ${hidden.token}\n`);
  const broken = await view();
  expect(broken.problems).toMatchObject([{ path: 'pegboard.yaml', severity: 'error' }]);
  expect(broken.files[0]).toMatchObject({ exists: true, withheld: expect.stringContaining('not shown') });
  expect(JSON.stringify(broken)).not.toContain(hidden.token);
  await page.home.write('pegboard.yaml', 'confirm: sometimes\n');
  expect((await view()).problems).toMatchObject([{ path: 'pegboard.yaml', line: 1 }]);
  expect(await check('here')).toContainEqual(
    expect.objectContaining({
      name: 'config',
      status: 'failed',
      message: expect.stringContaining('confirm'),
    }),
  );
  await page.home.write('pegboard.yaml', yaml);
  expect((await view()).problems).toEqual([]);
});

test('the checks are those of pegboard doctor', async () => {
  await page.ask('server-connect/notes', { body: {} });
  const parts = ['here', 'database', 'servers', 'model', 'trust'] as const;
  const found: Check[] = [];
  for (const part of parts) found.push(...(await check(part, { connect: true })));
  const { checks } = await pegboardJson<{ checks: readonly Check[] }>(['doctor'], { home: page.home.path });
  const said = (all: readonly Check[]): readonly string[] =>
    all
      // Its size grows while it is looked at, and with a page there are tools that ask in it.
      .filter(({ name }) => name !== 'disk' && name !== 'tools')
      .map(({ name, status, message, fix = '' }) => `${status} ${name}: ${message} → ${fix}`)
      .toSorted();
  expect(said(found)).toEqual(said(checks));
  expect(found).toContainEqual(expect.objectContaining({ name: 'mcp notes', message: 'connected, 1 tool' }));
});

test('looking connects no server, and an unknown part is none', async () => {
  await using other = await servePage({
    'pegboard.yaml': JSON.stringify({ mcpServers: { notes: listingEntry } }),
    ...listingServer([listedTool('one', 'The first')]),
  });
  const { body } = await other.ask('check/servers', { body: {} });
  expect(body).toMatchObject({ checks: [{ name: 'mcp notes', status: 'ok' }] });
  expect(other.host.servers.get('notes')!.status().state).toBe('idle');
  await other.ask('check/servers', { body: { connect: true } });
  expect(other.host.servers.get('notes')!.status().state).toBe('ready');
  expect(await other.ask('check/everything', { body: {} })).toMatchObject({ status: 404 });
  expect(
    await other.ask('check/here', { body: {}, changes: { origin: 'https://evil.example' } }),
  ).toMatchObject({
    status: 403,
  });
});

test('the other browsers are signed out, and this one stays', async () => {
  const [own, one, two] = [await page.signIn(), await page.signIn(), await page.signIn()];
  const others = async (): Promise<number> => {
    const { body }: { readonly body: SettingsView } = await page.ask('settings', { session: own });
    return body.about.otherBrowsers;
  };
  expect(await others()).toBeGreaterThanOrEqual(2);
  const refused = { origin: 'https://evil.example' };
  expect(await page.ask('sign-out-others', { body: {}, session: own, changes: refused })).toMatchObject({
    status: 403,
  });
  const ending = new AbortController();
  const events = page.events(ending.signal, { session: one });
  await events.next();
  expect(await page.ask('sign-out-others', { body: {}, session: own })).toMatchObject({ status: 200 });
  expect(await others()).toBe(0);
  for (const session of [one, two])
    expect(await page.ask('home', { session })).toMatchObject({ status: 401 });
  // Their events end as well.
  for await (const event of events) void event;
  ending.abort();
});
