import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf } from '../../../host/tools/result.ts';
import { openPluginHome, type PluginHome } from '../../kit/homes/plugin-home.ts';

const tool = (name: string, says: string): string =>
  `import { helped } from './lib/help.ts';\nexport default { name: '${name}', description: 'Says it', parameters: { type: 'object' }, execute: () => helped('${says}') };\n`;
const help = `export const helped = (text: string): string => text + '!';\n`;
const files = {
  'spaces/s/agent/tools/one.ts': tool('one', 'first'),
  'spaces/s/agent/tools/lib/help.ts': help,
  'spaces/s/agent/tools/group/two.ts': `export default ({ timezone }) => ({ name: 'two', description: 'x', parameters: { type: 'object' }, execute: () => timezone });`,
  'spaces/s/agent/tools/group/three.ts': `export default [{ name: 'three', description: 'x', parameters: { type: 'object' }, execute: () => '3' }, null];`,
  'spaces/s/agent/tools/group/picky.ts': `export const meta = { requires: { env: ['NEVER_SET'] } };\nexport default { name: 'picky', description: 'x', parameters: { type: 'object' }, execute: () => 'x' };`,
  'spaces/s/agent/tools/by-manifest.md':
    '---\nid: by-manifest\nname: x\ndescription: x\nhandler: ./handler.ts#run\n---\n',
  'spaces/s/agent/tools/handler.ts': `export const run = () => 'run';\n`,
};
const say = async (home: PluginHome, name: string): Promise<string> => textOf(await home.call(name));
const save = async (home: PluginHome, path: string, text: string): Promise<void> => {
  writeFileSync(home.path(path), text);
  await home.plugins.changed([home.path(path)]);
};

test('a file in a space is a tool, a folder of them a pack; factories and lists work, and what misses something is left out', async () => {
  await using home = await openPluginHome({ files });
  expect(await say(home, 's.one')).toBe('first!');
  expect(await say(home, 's.two')).toBe('UTC');
  expect(await say(home, 's.three')).toBe('3');
  expect(home.registry.snapshot.find('s.picky')).toBeUndefined();
  expect(home.registry.snapshot.find('s.one')!.source).toMatchObject({
    id: 'code:s/one',
    kind: 'manifest',
    module: 's',
  });
  expect(home.plugins.diagnostics.filter(({ message }) => message.includes('handler'))).toEqual([]);
});

test('what it imports reloads with it; a broken file keeps the last good version and names its place', async () => {
  await using home = await openPluginHome({ files });
  await save(home, 'spaces/s/agent/tools/lib/help.ts', help.replace('!', '?'));
  expect(await say(home, 's.one')).toBe('first?');
  await save(home, 'spaces/s/agent/tools/one.ts', 'export default {');
  expect(await say(home, 's.one')).toBe('first?');
  expect(home.plugins.diagnostics).toContainEqual(
    expect.objectContaining({ path: home.path('spaces/s/agent/tools/one.ts'), code: 'plugin-failed' }),
  );
  await save(home, 'spaces/s/agent/tools/one.ts', tool('one', 'mended'));
  expect(await say(home, 's.one')).toBe('mended?');
  rmSync(home.path('spaces/s/agent/tools/one.ts'));
  await home.plugins.changed([home.path('spaces/s/agent/tools/one.ts')]);
  expect(home.registry.snapshot.find('s.one')).toBeUndefined();
});

test('a file that exports no tool says what to write', async () => {
  await using home = await openPluginHome({
    files: { 'spaces/s/agent/tools/none.ts': 'export const x = 1;' },
  });
  expect(home.plugins.diagnostics[0]?.message).toContain('export default { name, description');
});

test('nothing of it runs before it is trusted, nor after what it imports has changed', async () => {
  await using home = await openPluginHome({ files, services: { development: false } });
  expect(home.registry.snapshot.find('s.one')).toBeUndefined();
  await home.trust('spaces/s/one');
  expect(await say(home, 's.one')).toBe('first!');
  await save(home, 'spaces/s/agent/tools/lib/help.ts', help.replace('!', '?'));
  expect(await say(home, 's.one')).toBe('first!');
});

test('what a file requires it may ask for, and what is missing is a diagnostic of that file', async () => {
  const asking = `export const meta = { requires: { secrets: ['SHOP_KEY'] } };
export default (context) => ({ name: 'asking', description: 'x', parameters: { type: 'object' }, execute: () => context.variable('SHOP_KEY') + ' ' + context.variable('OTHER') });`;
  await using home = await openPluginHome({
    files: { ...files, 'spaces/s/agent/tools/asking.ts': asking },
    environment: { SHOP_KEY: 'k-1', OTHER: 'o' },
  });
  expect(await say(home, 's.asking')).toBe('k-1 undefined');
  expect(home.plugins.diagnostics).toEqual([
    {
      severity: 'warning',
      code: 'missing-requirement',
      message: 'picky.ts is left out: the environment variable NEVER_SET is not set',
      path: home.path('spaces/s/agent/tools/group/picky.ts'),
    },
  ]);
});

test('a file stays trusted when one comes beside it, and not when what it imports changes', async () => {
  await using home = await openPluginHome({ files, services: { development: false } });
  await home.trust('spaces/s/one');
  const state = (): string | undefined =>
    home.plugins.states.find(({ manifest }) => manifest.id === 'spaces/s/one')?.problem;
  await save(home, 'spaces/s/agent/tools/new.ts', tool('new', 'x'));
  await save(home, 'spaces/s/agent/tools/notes.json', '{}');
  await home.plugins.reload('spaces/s/one');
  expect(state()).toBeUndefined();
  expect(await say(home, 's.one')).toBe('first!');
  expect(home.registry.snapshot.find('s.new')).toBeUndefined();
  await save(home, 'spaces/s/agent/tools/lib/help.ts', help.replace('!', '?'));
  expect(state()).toContain('has changed since you trusted it');
});

test.for([
  `export const run = (name) => import('../../host-plugins/' + name);`,
  `import { createRequire } from 'node:module'; export const run = createRequire(import.meta.url);`,
  `export const run = () => new Worker(new URL('x', import.meta.url));`,
  `import * as fs from 'node:fs'; export const run = (name) => fs.readFileSync(name);`,
  `export { run } from '\\u002e/lib/help.ts'; export const x = 1;`,
])('one that could load more than it names is trusted with all that lies beside it: %s', async (code) => {
  const own = `${code.replace('export { run }', 'export { helped }')}\nexport default { name: 'own', description: 'x', parameters: { type: 'object' }, execute: () => 'own' };\n`;
  await using home = await openPluginHome({
    files: { ...files, 'spaces/s/agent/tools/own.ts': own },
    services: { development: false },
  });
  await home.trust('spaces/s/own');
  expect(await say(home, 's.own')).toBe('own');
  await save(home, 'spaces/s/agent/tools/new.ts', tool('new', 'x'));
  const standing = home.plugins.states.find(({ manifest }) => manifest.id === 'spaces/s/own');
  expect(standing?.problem).toContain('has changed since you trusted it');
});

test('a package that goes by another name here is answered with that name', async () => {
  await using home = await openPluginHome({
    files: {
      'spaces/s/agent/tools/typed.ts': `import { Type } from '@sinclair/typebox';\nexport default Type;`,
    },
  });
  expect(home.plugins.diagnostics).toMatchObject([
    { code: 'plugin-failed', hint: "import from 'typebox', which comes with Pegboard" },
  ]);
});
