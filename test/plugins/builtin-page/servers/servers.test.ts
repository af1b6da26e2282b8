import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerDetails, ServerList, ServerLog } from '../../../../plugins/builtin-page/servers/wire.ts';
import { listedTool, listingEntry, listingServer } from '../../../kit/mcp/listing-server.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

const secret = 'k9Zq-3vXw-7Rty-1uPo-5sDf';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage({
    'pegboard.yaml': JSON.stringify({
      mcpServers: {
        good: { ...listingEntry, env: { API_TOKEN: secret }, args: ['server.mjs', `--token=${secret}`] },
        ended: { command: process.execPath, args: ['-e', 'console.error("no disk"); process.exit(3)'] },
        resting: { ...listingEntry, enabled: false },
        wrong: { command: 'node', timeout: 'soon' },
        far: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: `Bearer ${secret}` } },
      },
    }),
    ...listingServer([listedTool('one', 'The first'), listedTool('two', 'The second')], {
      stderr: `hello \u202E from the server <b>${secret}</b>\n`,
    }),
  });
});
afterAll(() => page[Symbol.asyncDispose]());

const list = async (): Promise<ServerList> => (await page.ask('servers')).body;
const stateOf = async (name: string): Promise<string | undefined> =>
  (await list()).servers.find((one) => one.name === name)?.state;
const details = async (name: string): Promise<ServerDetails> => (await page.ask(`server/${name}`)).body;
const log = async (name: string): Promise<ServerLog> => (await page.ask(`server-log/${name}`)).body;

test('each server has a word for its state, with the reason, and is connected on demand', async () => {
  expect(await stateOf('good')).toBe('never connected');
  expect(await stateOf('resting')).toBe('off');
  expect((await list()).invalid).toMatchObject([{ message: expect.stringContaining('"wrong"') }]);
  expect(await page.ask('server-connect/good', { body: {} })).toMatchObject({
    status: 200,
    body: { state: 'connected', tools: 2, held: 0, software: 'listing 1.2.3', since: expect.any(String) },
  });
  expect((await details('good')).offered).toEqual([
    { id: 'good.one', summary: 'The first' },
    { id: 'good.two', summary: 'The second' },
  ]);
  expect(await page.ask('server-connect/ended', { body: {} })).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining('no disk') } },
  });
  expect(await details('ended')).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('no disk'),
  });
  expect(await page.ask('server-connect/nowhere', { body: {} })).toMatchObject({ status: 422 });
  expect(await page.ask('server/nowhere')).toMatchObject({ status: 422 });
});

test('connecting again replaces the process', async () => {
  const { pid } = await details('good');
  await page.ask('server-connect/good', { body: {} });
  const again = await details('good');
  expect(again).toMatchObject({ state: 'connected', tools: 2 });
  expect(again.pid).not.toBe(pid);
});

test('the log has what the host noted and what the server wrote, of this server alone', async () => {
  const { lines } = await log('good');
  expect(lines.map(({ text }) => text).join('\n')).toContain('from the server <b>');
  expect(lines.map(({ text }) => text).join('\n')).not.toContain('no disk');
  expect((await log('ended')).lines.map(({ text }) => text).join('\n')).toContain('no disk');
  expect((await log('resting')).lines).toEqual([]);
  expect(await page.ask('server-log/nowhere')).toMatchObject({ status: 422 });
});

test('no answer has a secret of an entry, only the names', async () => {
  const found = await Promise.all([
    page.ask('servers'),
    page.ask('home'),
    ...['good', 'far'].flatMap((name) => [page.ask(`server/${name}`), page.ask(`server-log/${name}`)]),
  ]);
  expect(found.map(({ body }) => JSON.stringify(body)).filter((text) => text.includes(secret))).toEqual([]);
  expect(await details('good')).toMatchObject({
    variables: ['API_TOKEN'],
    runs: expect.stringContaining('${GOOD_TOKEN}'),
  });
  expect(await details('far')).toMatchObject({ headers: ['Authorization'], runs: 'http://127.0.0.1:9/mcp' });
});
