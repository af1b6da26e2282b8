import { globSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import ownManifest from '../../../package.json' with { type: 'json' };
import { environment, pegboard, pegboardJson, startPegboard } from '../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../kit/homes/home.ts';
import { repository } from '../../kit/homes/clone.ts';
import { pdfOf } from '../../kit/data/pdf.ts';
import { describePostgres, postgresUrl } from '../../kit/postgres.ts';
import { startFakeBotApi } from '../../kit/telegram/fake-bot-api.ts';
import { environmentOf } from '../../plugins/builtin-telegram/bot-home.ts';
import { installPackage, type InstalledPackage } from './installed-package.ts';

let installed: InstalledPackage;
let home: TestHome;
const owned = new AsyncDisposableStack();

beforeAll(async () => {
  installed = owned.use(await installPackage());
  home = owned.use(
    await createHome({
      'spaces/work/agent/tools/greet.md': manifest(
        'greet',
        'parameters:\n  - { name: who, type: string, required: true }\ncommand: echo Hello {{who}}',
      ),
      'plugins/counting/plugin.yaml':
        'id: counting\nversion: 1.0.0\ndescription: Counts\npacks:\n  counting:\n    description: Counts letters\n',
      'plugins/counting/index.ts': plugin,
      'plugins/counting/letters.ts': 'export const count = (text: string): number => [...text].length;\n',
      'plugins/counting/counting.test.ts': countingTest,
    }),
  );
});
afterAll(() => owned.disposeAsync());

const plugin = `
import { definePlugin, defineTool, PegboardError } from 'pegboard';
import Type from 'typebox';
import { count } from './letters.ts';

const letters = defineTool({
  name: 'letters',
  description: 'Counts the letters of a text',
  parameters: Type.Object({ text: Type.String() }),
  execute({ text }: { text: string }): string {
    if (text === '') throw new PegboardError('PEG_TOOL_FAILED', 'There is nothing to count.');
    return String(count(text));
  },
});

export default definePlugin({ setup: () => ({ packs: { counting: [letters] } }) });
`;

const countingTest = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestHost } from 'pegboard/testing';

test('an agent counts', async () => {
  await using host = await openTestHost({
    plugins: [import.meta.dirname],
    model: [{ toolCalls: [{ name: 'letters', arguments: { text: 'Ada' } }] }, { text: 'Three.' }],
  });
  const { text, toolCalls } = await host.say('How many letters has Ada?');
  assert.deepEqual([text, toolCalls[0]?.result], ['Three.', '3']);
});
`;

const options = () => ({ entry: installed.entry, home: home.path });

test('the package says its version', async () => {
  const { code, stdout } = await pegboard(['--version'], { entry: installed.entry });
  expect([code, stdout]).toEqual([0, `${ownManifest.version}\n`]);
});

test("somebody else's plugin runs once it is trusted", async () => {
  const trusted = await pegboard(['approvals', 'allow', 'counting', '--yes'], options());
  expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining('is trusted') as string });
});

test('everything is found: built-in tools, tools of the home, nothing to complain about', async () => {
  const { tools, diagnostics } = await pegboardJson<{
    tools: readonly { readonly id: string }[];
    diagnostics: readonly unknown[];
  }>(['tools'], options());
  expect(diagnostics).toEqual([]);
  expect(tools.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['filesystem.read', 'core.read_artifact', 'work.greet', 'counting.letters']),
  );
});

test('built-in plugins are listed as in a clone, which reads each plugin.yaml', async () => {
  const listed = async (entry: string): Promise<unknown> => {
    const { plugins } = await pegboardJson<{ plugins: readonly { id: string; folder: string }[] }>(
      ['plugins'],
      { ...options(), entry },
    );
    const builtin = plugins.filter(({ id }) => id.startsWith('builtin-'));
    return builtin.map(({ folder: _folder, ...plugin }) => plugin);
  };
  const packaged = await listed(installed.entry);
  const shipped = readdirSync(join(repository, 'plugins')).filter((name) => name.startsWith('builtin-'));
  expect(packaged).toMatchObject(shipped.toSorted().map((id) => ({ id })));
  expect(packaged).toEqual(await listed(join(repository, 'bin/pegboard.cjs')));
});

test('a Markdown tool runs', async () => {
  const { code, stdout, stderr } = await pegboard(['call', 'greet', 'who=Ada & Bob'], options());
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hello Ada & Bob\n', stderr: '' });
});

test('a TypeScript plugin of somebody else gets the running host, and TypeBox', async () => {
  const counted = await pegboardJson<{ ok: boolean; content: unknown }>(
    ['call', 'letters', 'text=Ada'],
    options(),
  );
  expect(counted).toMatchObject({ ok: true, content: [{ type: 'text', text: '3' }] });
  const refused = await pegboardJson<{ error: unknown }>(['call', 'letters', 'text='], options());
  expect(refused.error).toMatchObject({ code: 'PEG_TOOL_FAILED', message: 'There is nothing to count.' });
});

test('the tests of a plugin run, with a model that says what they script', async () => {
  const { code, stdout, stderr } = await pegboard(['test-plugin', 'counting'], options());
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('pass 1');
});

test('the file tools search with what is installed beside the package', async () => {
  const { code, stdout } = await pegboard(['call', 'grep', 'pattern=echo Hello', 'path=spaces'], options());
  expect(code).toBe(0);
  expect(stdout).toContain('greet.md:');
});

describePostgres('with its state on Postgres', () => {
  test('the host of a bot works on its queues, and receives', async () => {
    await using telegram = await startFakeBotApi();
    await using bot = await createHome({ 'pegboard.yaml': `state: ${await postgresUrl()}` });
    const env = environmentOf(telegram);
    await using host = startPegboard(['start'], { home: bot.path, entry: installed.entry, env });
    await telegram.until(() => telegram.calls.some(({ method }) => method === 'getUpdates'));
    host.child.kill('SIGTERM');
    expect(await host.ended).toMatchObject({ code: 0 });
  });
});

test('a PDF is read as text', async () => {
  await home.write('book.pdf', pdfOf(['Once upon a time']));
  const { code, stdout } = await pegboard(['call', 'read', 'path=book.pdf'], options());
  expect({ code, stdout }).toEqual({ code: 0, stdout: '[page 1]\nOnce upon a time\n' });
});

test('an MCP client lists and calls over stdio', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [installed.entry, 'serve', '--stdio', '--home', home.path],
      env: environment() as Record<string, string>,
    }),
  );
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['greet', 'read', 'letters']));
    const { content } = await client.callTool({ name: 'greet', arguments: { who: 'Ada' } });
    expect(content).toMatchObject([{ type: 'text', text: 'Hello Ada\n' }]);
  } finally {
    await client.close();
  }
});

test('a new home from the package works', async () => {
  await using empty = await createHome();
  const folder = `${empty.path}/new`;
  expect(await pegboard(['init', folder], { entry: installed.entry })).toMatchObject({ code: 0, stderr: '' });
  const { code, stdout } = await pegboard(['call', 'greet', 'name=Ada'], {
    entry: installed.entry,
    home: folder,
  });
  expect(code).toBe(0);
  expect(stdout).toContain('Ada');
});

test('no module of the package is TypeScript, which Node refuses inside node_modules', () => {
  const files = globSync('**/*', { cwd: installed.folder });
  expect(files).toContain('host/index.js');
  expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

test('its README leads to the agent and the page, and installs no package of somebody else', async () => {
  const text = await readFile(join(installed.folder, 'README.md'), 'utf8');
  for (const command of ['setup', 'chat', 'start', 'dashboard']) {
    expect(text).toContain(`pegboard ${command}`);
    expect((await pegboard(['help', command], { entry: installed.entry })).code).toBe(0);
  }
  expect(text).toContain('npm install --global ./pegboard-');
  expect(text).not.toMatch(/^(\$ )?npm install --global pegboard/m);
  expect(text).toContain('into `~/.local/share/pegboard`');
});
