import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { pegboard, pegboardJson } from '../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../kit/homes/home.ts';

interface Written {
  readonly yaml?: string;
  /** What `setup` returns, as source. */
  readonly contributions?: string;
}

const pack = 'packs: { kept: { description: Keeps things, tools: [keep] } }';
const keep = `{ name: 'keep', description: 'Keeps', parameters: { type: 'object', properties: {} }, execute: () => 'kept' }`;

/** A home with a plugin `kept`, whose `setup` leaves a file, and a space with two commands. */
async function homeWith(
  { yaml = `onDemand: true\n${pack}`, contributions = `{ packs: { kept: [${keep}] } }` }: Written = {},
  files: { readonly [file: string]: string } = {},
) {
  const home = await createHome({
    'pegboard.yaml': 'plugins: { kept: { trusted: true }, other: { trusted: true } }',
    'plugins/kept/plugin.yaml': `id: kept\nversion: "1.0.0"\ndescription: Keeps\n${yaml}\n`,
    'plugins/kept/index.ts': `
      import { writeFileSync } from 'node:fs';
      import { join } from 'node:path';
      export default {
        setup({ home, registry }) {
          writeFileSync(join(home, 'was-set-up'), '');
          return ${contributions};
        },
      };`,
    'spaces/work/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
    'spaces/work/agent/tools/keep.md': manifest('keep', 'command: echo of the space'),
    'spaces/work/agent/tools/ask.md': manifest('ask', 'command: echo ran\nconfirm: true'),
    ...files,
  });
  return Object.assign(home, {
    /** Since the last check. */
    wasSetUp(): boolean {
      const path = join(home.path, 'was-set-up');
      const was = existsSync(path);
      rmSync(path, { force: true });
      return was;
    },
  });
}

const call = (home: TestHome, ...words: string[]) => pegboard(['call', ...words], { home: home.path });

describe('a plugin on demand', () => {
  test.each(['work.greet', 'greet', 'work__greet'])(
    'is not set up for %s, a command of a space',
    async (name) => {
      await using home = await homeWith();
      expect(await call(home, name)).toMatchObject({ code: 0, stdout: 'hello\n' });
      expect(home.wasSetUp()).toBe(false);
    },
  );

  test('is set up for its own tools, for names that could mean them, and for names that nobody has', async () => {
    await using home = await homeWith();
    expect(await call(home, 'kept.keep')).toMatchObject({ code: 0, stdout: 'kept\n' });
    expect(home.wasSetUp()).toBe(true);
    expect(await call(home, 'keep')).toMatchObject({ code: 0, stdout: 'kept\n' });
    expect(home.wasSetUp()).toBe(true);
    expect(await call(home, 'work.keep')).toMatchObject({ code: 0, stdout: 'of the space\n' });
    expect(home.wasSetUp()).toBe(true);
    expect(await call(home, 'kep')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('keep') as string,
    });
    expect(home.wasSetUp()).toBe(true);
  });

  test('is set up for other commands, and for an agent’s calls', async () => {
    await using home = await homeWith();
    for (const words of [['tools'], ['search', 'keeps'], ['call', 'greet', '--agent', 'work']]) {
      expect(await pegboard(words, { home: home.path })).toMatchObject({ code: 0 });
      expect(home.wasSetUp(), words.join(' ')).toBe(true);
    }
  });

  test('is set up for a question, which its channel may answer', async () => {
    const ask = `async () => ({ action: 'accept', content: { answer: 'once' }, by: 'the box' })`;
    await using home = await homeWith({
      contributions: `{ packs: { kept: [${keep}] }, channels: { box: { deliver: async () => {}, ask: ${ask} } } }`,
    });
    await using host = await createHost({ home: home.path, setUp: 'needed', oneShot: true });
    expect(home.wasSetUp()).toBe(false);
    const result = await host.dispatch({
      name: 'work.ask',
      args: {},
      scope: hostScope,
      caller: 'cli',
      ask: (_question, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        ),
    });
    expect(result.content).toMatchObject([{ text: 'ran\n' }]);
    expect(home.wasSetUp()).toBe(true);
  });
});

describe('a plugin that is not on demand', () => {
  const deny = `{ hooks: { preTool: () => ({ deny: 'Not today.' }) } }`;

  test('is set up for every call, and its hooks apply', async () => {
    await using home = await homeWith({ yaml: '', contributions: deny });
    expect(await call(home, 'greet')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Not today.') as string,
    });
    expect(home.wasSetUp()).toBe(true);
  });

  test('is not made one by a change that nobody has approved', async () => {
    await using home = await homeWith({ yaml: pack, contributions: deny }, { 'pegboard.yaml': '' });
    await pegboard(['approvals', 'allow', 'kept', '--yes'], { home: home.path });
    expect(await call(home, 'greet')).toMatchObject({ code: 3 });
    const yaml = 'plugins/kept/plugin.yaml';
    await home.write(yaml, `${await home.read(yaml)}onDemand: true\n`);
    expect(await call(home, 'greet')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Not today.') as string,
    });
  });

  test('has all others set up too, since it may use the whole host', async () => {
    await using home = await homeWith(undefined, {
      'plugins/other/plugin.yaml': 'id: other\nversion: "1.0.0"\ndescription: Looks\n',
      'plugins/other/index.ts': `export default {
        setup: ({ registry }) => ({
          hooks: { preTool: () => ({ deny: registry.snapshot.find('kept.keep') ? 'all are here' : 'one is missing' }) },
        }),
      };`,
    });
    expect(await call(home, 'greet')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('all are here') as string,
    });
    expect(home.wasSetUp()).toBe(true);
  });
});

describe('what a plugin on demand brings', () => {
  test('hooks see calls in turns, and no others', async () => {
    const preTool = `(call) => call.turn ? { deny: 'in a turn' } : { deny: 'outside' }`;
    await using home = await homeWith({
      contributions: `{ packs: { kept: [${keep}] }, hooks: { preTool: [{ tools: '*', handler: ${preTool} }] } }`,
    });
    expect(await call(home, 'kept.keep')).toMatchObject({ code: 0, stdout: 'kept\n' });
  });

  test.each([
    ['a preValidate hook', { contributions: `{ hooks: { preValidate: () => undefined } }` }, 'preValidate'],
    [
      'a pack without its tools',
      { yaml: 'onDemand: true\npacks: { kept: { description: Keeps } }' },
      'lists no tools',
    ],
    [
      'a tool that is not listed',
      { contributions: `{ packs: { kept: [{ ...${keep}, name: 'more' }] } }` },
      'do not list it',
    ],
  ])('%s is refused', async (_what, written, message) => {
    await using home = await homeWith(written);
    const { diagnostics } = await pegboardJson<{ readonly diagnostics: readonly { message: string }[] }>(
      ['tools'],
      { home: home.path },
    );
    expect(diagnostics.map((one) => one.message).join('\n')).toContain(message);
  });

  test('without a list of tools it is set up for every call', async () => {
    await using home = await homeWith({ yaml: 'onDemand: true\npacks: { kept: { description: Keeps } }' });
    expect(await call(home, 'greet')).toMatchObject({ code: 0 });
    expect(home.wasSetUp()).toBe(true);
  });
});

test('the plugins that ship with Pegboard list all of their tools, and no others', async () => {
  await using home = await createHome();
  const environment = { TAVILY_API_KEY: 'tavily', TELEGRAM_BOT_TOKEN: '123456:ABC-DEF1234', HOME: home.path };
  await using host = await createHost({ home: home.path, environment });
  const own = host.plugins.instances.filter(({ manifest }) => manifest.builtin);
  expect(own.length).toBeGreaterThan(4);
  for (const { manifest: plugin, toolSources } of own) {
    const brought = await Promise.all(
      toolSources.map(async (source) => [
        source.module,
        (await source.list()).tools.map(({ name }) => name).sort(),
      ]),
    );
    const { packs, metaTools } = plugin;
    const declared = metaTools.length > 0 ? { ...packs, meta: { tools: metaTools } } : packs;
    const listed = Object.entries(declared).map(([name, { tools = [] }]) => [name, tools.toSorted()]);
    expect(Object.fromEntries(brought), plugin.id).toEqual(Object.fromEntries(listed));
  }
});
