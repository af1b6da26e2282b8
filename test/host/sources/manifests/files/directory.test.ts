import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createManifestDirectory } from '../../../../../host/sources/manifests/files/directory.ts';
import { createSpaceManifest } from '../../../../../host/sources/manifests/files/space-manifest.ts';
import { textOf } from '../../../../../host/tools/result.ts';
import { kernel } from '../../../../kit/dispatch.ts';
import { createHome, manifest } from '../../../../kit/homes/home.ts';
import { manifestContext } from '../../../../kit/homes/manifest-context.ts';

const context = manifestContext({
  resolve: (name) => ({ TOKEN: 's3cr3t-Tq8vK2mZ91xw' })[name],
  runMcp: async (server, tool, args) => `${server} ${tool} ${JSON.stringify(args)}`,
});
const description = 'Tools of the test';
const tools = 'spaces/s/agent/tools';

async function openFolder(files: { readonly [file: string]: string } = {}) {
  const home = await createHome(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`${tools}/${name}`, text])),
  );
  const root = join(home.path, 'spaces/s');
  const folder = join(home.path, tools);
  const source = createManifestDirectory({
    folder,
    root,
    module: 's',
    kind: 'manifest',
    description,
    context,
  });
  const names = async (): Promise<string[]> => (await source.list()).tools.map(({ name }) => name);
  const codes = async (): Promise<string[]> =>
    ((await source.list()).diagnostics ?? []).map(({ code }) => code);
  const change = async (file: string, text: string): Promise<void> =>
    source.changed([await home.write(`${tools}/${file}`, text)]);
  return {
    home,
    root,
    folder,
    source,
    names,
    codes,
    change,
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

describe('a folder of manifests', () => {
  test('lists Markdown and YAML by path, also in subfolders, and leaves READMEs, hidden files and code alone', async () => {
    await using opened = await openFolder({
      'b.md': manifest('b', 'command: ls'),
      'a.yaml': 'id: a\nname: A\ndescription: A\ncommand: ls\n',
      'more/c.yml': 'id: c\nname: C\ndescription: C\ncommand: ls\n',
      'README.md': '# Hello\n',
      '.hidden.md': 'x',
      'code.ts': 'export const x = 1;\n',
      'notes.txt': 'x',
    });
    expect(await opened.names()).toEqual(['a', 'b', 'c']);
    expect(await opened.codes()).toEqual([]);
  });

  test('describes a tool with all that its manifest says', async () => {
    await using opened = await openFolder({
      'a.md': manifest(
        'a',
        `category: c
icon: rocket
tags: [t]
aliases: [b]
timeout: 5
confirm: true
parameters:
  - { name: x, type: string, description: An x, required: true, enum: [p, q] }
  - { name: n, type: integer, default: 3, minimum: 1, maximum: 9 }
  - { name: l, type: array, pattern: ^a }
examples: [{ input: { x: p }, output: y }]
command: echo {{x}} {{n}} {{l}}`,
        '\n# For people\n',
      ),
    });
    const [tool] = (await opened.source.list()).tools;
    expect(tool).toMatchObject({
      name: 'a',
      title: 'a',
      description: 'The tool a',
      category: 'c',
      icon: 'rocket',
      tags: ['t'],
      aliases: ['b'],
      timeout: 5,
      confirm: true,
      documentation: '# For people',
      examples: [{ input: { x: 'p' }, output: 'y' }],
      origin: join(opened.folder, 'a.md'),
      parameters: {
        type: 'object',
        properties: {
          x: { type: 'string', description: 'An x', enum: ['p', 'q'] },
          n: { type: 'integer', default: 3, minimum: 1, maximum: 9 },
          l: { type: 'array', items: { type: 'string', pattern: '^a' } },
        },
        required: ['x'],
        additionalProperties: false,
      },
    });
  });

  test('has a fingerprint that follows its manifest, not the documentation below it', async () => {
    await using opened = await openFolder({ 'a.md': manifest('a', 'command: echo 1') });
    const fingerprint = async () => (await opened.source.list()).tools[0]?.fingerprint;
    const first = await fingerprint();
    await opened.change('a.md', manifest('a', 'command: echo 1', 'Other words'));
    expect(await fingerprint()).toBe(first);
    await opened.change('a.md', manifest('a', 'command: echo 1\nenvironment: { A: b }'));
    const second = await fingerprint();
    await opened.change('a.md', manifest('a', 'command: echo 2'));
    expect(new Set([first, second, await fingerprint()]).size).toBe(3);
  });

  test('costs its neighbours nothing when a file is broken, and says where', async () => {
    await using opened = await openFolder({
      'a.md': manifest('a', 'command: ls'),
      'b.md': manifest('b', 'comand: ls'),
    });
    const { tools: listed, diagnostics } = await opened.source.list();
    expect(listed.map(({ name }) => name)).toEqual(['a']);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        path: join(opened.folder, 'b.md'),
        line: 5,
        column: 1,
        hint: 'comand → command?',
      }),
    );
  });

  test('keeps the last good version of a file that breaks, says so, and takes the next good one', async () => {
    await using opened = await openFolder({ 'a.md': manifest('a', 'command: echo one') });
    const { call } = await kernel(opened.source);
    expect(textOf(await call('s.a'))).toBe('one\n');
    await opened.change('a.md', manifest('a', 'command: "echo two'));
    const { tools: listed, diagnostics } = await opened.source.list();
    expect(listed).toHaveLength(1);
    expect(diagnostics?.[0]?.message).toContain('; the last good version stays in service');
    await opened.change('a.md', '');
    expect(await opened.names()).toEqual(['a']);
    await opened.change('a.md', manifest('a', 'command: echo three'));
    expect(await opened.codes()).toEqual([]);
  });

  test('reads only what changed: a neighbour stays the very same tool', async () => {
    await using opened = await openFolder({
      'a.md': manifest('a', 'command: ls'),
      'b.md': manifest('b', 'command: ls'),
    });
    const before = (await opened.source.list()).tools;
    await opened.change('b.md', manifest('b', 'command: pwd'));
    const after = (await opened.source.list()).tools;
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test('follows files and folders that come, are renamed and go', async () => {
    await using opened = await openFolder({ 'a.md': manifest('a', 'command: ls') });
    const at = (name: string): string => join(opened.folder, name);
    expect(await opened.names()).toEqual(['a']);
    await rename(at('a.md'), at('z.md'));
    opened.source.changed([at('a.md'), at('z.md')]);
    expect(await opened.names()).toEqual(['a']);
    await opened.home.write(`${tools}/sub/deep/b.md`, manifest('b', 'command: ls'));
    opened.source.changed([at('sub')]);
    expect(await opened.names()).toEqual(['b', 'a']);
    await rm(at('sub'), { recursive: true });
    opened.source.changed([at('sub')]);
    expect(await opened.names()).toEqual(['a']);
    await rm(at('z.md'));
    opened.source.changed([at('z.md')]);
    expect(await opened.names()).toEqual([]);
  });

  test('may be missing at first, vanish and come back', async () => {
    await using opened = await openFolder();
    expect(await opened.names()).toEqual([]);
    expect(await opened.codes()).toEqual([]);
    await opened.change('a.md', manifest('a', 'command: ls'));
    expect(await opened.names()).toEqual(['a']);
    await rm(opened.home.path, { recursive: true });
    opened.source.changed([opened.home.path]);
    expect(await opened.names()).toEqual([]);
    await opened.change('a.md', manifest('a', 'command: ls'));
    expect(await opened.names()).toEqual(['a']);
  });

  test('says of a broken link that it is one, until it leads somewhere', async () => {
    await using opened = await openFolder({ 'b.md': manifest('b', 'command: ls') });
    await symlink(join(opened.root, 'target'), join(opened.folder, 'a.md'));
    await symlink(opened.folder, join(opened.folder, 'round'));
    expect(await opened.codes()).toEqual(['broken-link']);
    await opened.home.write('spaces/s/target', manifest('a', 'command: ls'));
    opened.source.changed([join(opened.folder, 'a.md')]);
    expect(await opened.names()).toEqual(['a', 'b']);
    expect(await opened.codes()).toEqual([]);
  });

  test('ignores what is not its own', async () => {
    await using opened = await openFolder({ 'a.md': manifest('a', 'command: ls') });
    await opened.names();
    let told = 0;
    using watch = opened.source.watch!(() => told++);
    opened.source.changed([
      join(opened.root, 'x.md'),
      join(opened.folder, 'a.txt'),
      join(opened.folder, 'x.ts'),
    ]);
    expect(told).toBe(0);
    opened.source.changed([join(opened.folder, 'a.md')]);
    expect(told).toBe(1);
    watch[Symbol.dispose]();
    opened.source.changed([join(opened.folder, 'a.md')]);
    expect(told).toBe(1);
  });
});

const code = (text: string): string =>
  `export const run = ({ x }: { x: string }): string => '${text} ' + x;\n`;

describe('a function of a file', () => {
  const yaml = 'handler: ./code.ts#run\nparameters: [{ name: x, type: string, required: true }]';

  test('gets the arguments, and is reloaded when its file changes', async () => {
    await using opened = await openFolder({ 'a.md': manifest('a', yaml), 'code.ts': code('one') });
    const { registry, call } = await kernel(opened.source);
    expect(textOf(await call('s.a', { x: 'y' }))).toBe('one y');
    const before = registry.snapshot.tools.get('s.a')?.fingerprint;
    const changed = new Promise((resolve) => registry.onChange(resolve));
    await opened.change('code.ts', code('two'));
    await changed;
    expect(textOf(await call('s.a', { x: 'y' }))).toBe('two y');
    expect(registry.snapshot.tools.get('s.a')?.fingerprint).not.toBe(before);
  });

  test('that comes later than its manifest is found then', async () => {
    await using opened = await openFolder({ 'a.md': manifest('a', yaml) });
    expect(await opened.codes()).toEqual(['missing-file']);
    await opened.change('code.ts', code('one'));
    expect(await opened.names()).toEqual(['a']);
  });

  test('that is not exported, or whose file does not load, fails its call alone, in words that help', async () => {
    await using opened = await openFolder({
      'a.md': manifest('a', yaml),
      'code.ts': 'export const runs = (): number => 1;\n',
      'b.md': manifest('b', 'handler: ./broken.ts#run'),
      'broken.ts': 'export const run = (;\n',
    });
    const { call } = await kernel(opened.source);
    const a = await call('s.a', { x: 'y' });
    expect(a.error).toMatchObject({ code: 'PEG_TOOL_FAILED', stage: 'execute' });
    expect(a.error?.message).toContain('export a function "run"; it exports runs');
    expect((await call('s.b')).error?.message).toContain("broken.ts can't be loaded");
  });
});

describe('a command of a manifest', () => {
  test('gets variables that neither listing nor preview show, and whose values leave no tool', async () => {
    await using opened = await openFolder({
      'a.md': manifest('a', 'command: printf %s "$KEY"\nenvironment: { KEY: "${TOKEN}" }'),
    });
    const { call, registry } = await kernel(opened.source, { redactor: context.redactor });
    expect(textOf(await call('s.a'))).toBe('[secret TOKEN]');
    const tool = registry.snapshot.tools.get('s.a')!;
    expect(JSON.stringify(tool)).not.toContain('s3cr3t-Tq8vK2mZ91xw');
    expect(
      (await tool.prepare?.({}, { caller: 'test', scope: { identity: 'host', access: {} } }))?.preview,
    ).toBe('printf %s "$KEY"');
  });

  test('runs in a folder of the space, and not in one that has become a link out of it', async () => {
    await using opened = await openFolder({ 'a.md': manifest('a', 'command: pwd -P\ncwd: work') });
    await mkdir(join(opened.root, 'work'));
    const { call } = await kernel(opened.source);
    expect(textOf(await call('s.a'))).toMatch(/spaces\/s\/work\n$/);
    await rm(join(opened.root, 'work'), { recursive: true });
    await symlink(opened.home.path, join(opened.root, 'work'));
    expect((await call('s.a')).error).toMatchObject({ code: 'PEG_DENIED', stage: 'prepare' });
  });
});

test('a manifest with mcp runs the tool of that server under its own name', async () => {
  await using opened = await openFolder({
    'a.md': manifest('a', 'mcp: true\nserver: tickets\nparameters: [{ name: x, type: number }]'),
    'b.md': manifest('b', 'mcp: true\nserver: tickets\ntool: other'),
  });
  const { call } = await kernel(opened.source);
  expect(textOf(await call('s.a', { x: 1 }))).toBe('tickets a {"x":1}');
  expect(textOf(await call('s.b'))).toBe('tickets other {}');
});

const entry = (id: string, more: object = { command: 'ls' }): object => ({
  id,
  name: id,
  description: `The tool ${id}`,
  ...more,
});
const openManifest = async (value: unknown) => {
  const home = await createHome({ 'spaces/s/space.manifest.json': JSON.stringify(value, null, 2) });
  const root = join(home.path, 'spaces/s');
  const source = createSpaceManifest({ root, module: 's', description, context });
  const write = async (text: string): Promise<void> =>
    source.changed([await home.write('spaces/s/space.manifest.json', text)]);
  return { home, source, write, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
};

describe('a space manifest', () => {
  test('lists its tools, each its own: one that is wrong costs only itself', async () => {
    await using opened = await openManifest({
      id: 's',
      tools: [entry('a'), entry('b', { comand: 'ls' }), entry('c'), entry('a')],
    });
    const { tools: listed, diagnostics } = await opened.source.list();
    expect(listed.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(diagnostics?.map(({ code, line }) => `${code} ${line}`)).toEqual([
      'no-action 10',
      'unknown-key 14',
      'duplicate-id 23',
    ]);
  });

  test('keeps what was good of it while it is broken, as a whole or in one tool', async () => {
    await using opened = await openManifest({ id: 's', tools: [entry('a'), entry('b')] });
    await opened.source.list();
    await opened.write('{ "id": "s", "tools": [');
    let listing = await opened.source.list();
    expect(listing.tools).toHaveLength(2);
    expect(listing.diagnostics?.[0]).toMatchObject({ code: 'kept-in-service', severity: 'warning' });
    await opened.write(
      JSON.stringify({ id: 's', tools: [entry('a', { command: 'echo {{x}}' }), entry('c')] }),
    );
    listing = await opened.source.list();
    expect(listing.tools.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(listing.diagnostics?.[0]?.message).toContain('the last good version stays in service');
    await rm(join(opened.home.path, 'spaces/s/space.manifest.json'));
    opened.source.changed([join(opened.home.path, 'spaces/s')]);
    expect((await opened.source.list()).tools).toEqual([]);
  });
});
