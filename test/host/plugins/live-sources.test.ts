import { expect, test } from 'vitest';
import { textOf } from '../../../host/tools/result.ts';
import { openPluginHome, type PluginHome } from '../../kit/homes/plugin-home.ts';

/** Its tools are the names in \`notes.names\`. */
const notes = `
  import { definePlugin } from 'pegboard';
  const notes = ((globalThis as any).notes = { names: ['first'], changed: () => {}, closed: 0 });
  const read = (name) => ({ name, description: 'Reads a note', parameters: { type: 'object' }, execute: () => 'this is ' + name });
  export default definePlugin({ setup: () => ({ sources: [{
    id: 'pack:filesystem', kind: 'builtin', module: 'notes', description: 'Notes',
    list: () => ({ tools: notes.names.map(read) }),
    watch(changed) { notes.changed = changed; return { [Symbol.dispose]() {} }; },
    [Symbol.asyncDispose]: async () => { notes.closed++; },
  }] }) });`;
const yaml = (more: string): string => `id: notes\nversion: "1.0.0"\ndescription: x\n${more}`;
const files = {
  'plugins/notes/plugin.yaml': yaml('sources: [notes]\n'),
  'plugins/notes/index.ts': notes,
};
const test_ = (): { names: string[]; changed: () => void; closed: number } =>
  (globalThis as unknown as { notes: { names: string[]; changed: () => void; closed: number } }).notes;
const named = (home: PluginHome): readonly string[] =>
  [...home.registry.snapshot.tools.keys()].filter((id) => id.startsWith('notes.'));

async function change(home: PluginHome, names: string[]): Promise<void> {
  const changed = Promise.withResolvers<void>();
  using _ = home.registry.onChange(() => changed.resolve());
  test_().names = names;
  test_().changed();
  await changed.promise;
}

test('tools of a source come and go while its plugin runs, and belong to the plugin', async () => {
  await using home = await openPluginHome({ files });
  expect(textOf(await home.call('notes.first'))).toBe('this is first');
  await change(home, ['second', 'third']);
  expect(named(home)).toEqual(['notes.second', 'notes.third']);
  const { source } = home.registry.snapshot.find('notes.second')!;
  expect(source).toMatchObject({ id: 'pack:notes', kind: 'plugin', module: 'notes' });
  await home.plugins.apply({ notes: { enabled: false } });
  expect(named(home)).toEqual([]);
  expect(test_().closed).toBe(1);
});

test('tools that can not be used are left out of each listing, and reported', async () => {
  await using home = await openPluginHome({ files });
  await change(home, ['first', 'first', 'not a name']);
  expect(named(home)).toEqual(['notes.first']);
  expect(home.registry.snapshot.diagnostics.map(({ message }) => message)).toEqual([
    'the tool "first" of the source notes is left out: its name is taken by another of the pack',
    'the tool "not a name" of the source notes is left out: a name has 1 to 64 of the characters A-Z a-z 0-9 _ -',
  ]);
});

test.each([
  ['that is not declared', yaml('')],
  ['by the name of a pack', yaml('sources: [notes]\npacks: { notes: { description: x } }\n')],
])('a source %s is left out', async (_what, manifest) => {
  await using home = await openPluginHome({ files: { ...files, 'plugins/notes/plugin.yaml': manifest } });
  expect(named(home)).toEqual([]);
  expect(home.plugins.diagnostics).toContainEqual(expect.objectContaining({ code: 'undeclared-source' }));
});

test('a name that another plugin has as a pack is taken', async () => {
  await using home = await openPluginHome({
    files: {
      'plugins/notes/plugin.yaml': yaml('sources: [filesystem]\n'),
      'plugins/notes/index.ts': notes.replace(`module: 'notes'`, `module: 'filesystem'`),
    },
  });
  expect(home.registry.snapshot.find('filesystem.first')).toBeUndefined();
  expect(home.plugins.diagnostics).toContainEqual(expect.objectContaining({ code: 'duplicate-pack' }));
});

test('a source that calls back whenever it is listed keeps nobody waiting', async () => {
  const busy = notes.replace('list: () => ({', 'list: () => (notes.changed(), {');
  await using home = await openPluginHome({ files: { ...files, 'plugins/notes/index.ts': busy } });
  await change(home, ['second']);
  expect(named(home)).toEqual(['notes.second']);
});
