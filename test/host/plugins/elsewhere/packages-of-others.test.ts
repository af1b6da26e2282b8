import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ownFilesIn, readLock } from '../../../../host/plugins/elsewhere/lock.ts';
import { placeInstead, placeNew } from '../../../../host/plugins/elsewhere/place.ts';
import { parseSource, sourceText } from '../../../../host/plugins/elsewhere/source.ts';
import { stagePlugin, type StagedPlugin } from '../../../../host/plugins/elsewhere/stage.ts';
import { discoverPlugins } from '../../../../host/plugins/loading/discover.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { tarOf, tgzOf, type TarEntry } from '../../../kit/data/tar.ts';

const plugin = 'id: dice\nversion: "1.0.0"\ndescription: Rolls dice\n';
const whole = { 'plugin.yaml': plugin, 'index.ts': 'export default { setup: () => ({}) };\n' };

const stageAt = (path: string, home: string): Promise<StagedPlugin> =>
  stagePlugin(parseSource(path, home), {
    home,
    env: process.env,
    version: '0.3.0',
    signal: new AbortController().signal,
  });

test('sources are npm packages, repositories over https and ssh, and paths that exist', () => {
  const here = import.meta.dirname;
  for (const text of [
    'npm:dice',
    'npm:@ada/dice@^1.2.0 || 3',
    'npm:dice@next',
    'git:https://example.org/ada/dice.git#v1.0',
    'git:ssh://git@example.org:2222/ada/dice',
    'git:git@example.org:ada/dice.git#main',
  ])
    expect(sourceText(parseSource(text, here))).toBe(text);
  expect(sourceText(parseSource('git:github.com/ada/dice#v1', here))).toBe(
    'git:https://github.com/ada/dice#v1',
  );
  expect(parseSource('.', here)).toEqual({ kind: 'path', path: here });
  for (const [text, why] of [
    ['npm:../dice', "can't be the name of a package"],
    ['npm:-g', "can't be the name of a package"],
    ['npm:Dice Box', "can't be the name of a package"],
    ['npm:dice@file:../secret', 'is no version of dice'],
    ['npm:dice@git+ssh://example.org/x', 'is no version of dice'],
    ['npm:dice@--registry=http://example.org', 'is no version of dice'],
    ['git:ext::sh -c id', 'over https or ssh'],
    ['git:file:///etc', 'over https or ssh'],
    ['git:http://example.org/x', 'over https or ssh'],
    ['git:/srv/dice.git', 'over https or ssh'],
    ['git:--upload-pack=id', 'over https or ssh'],
    ['git:ssh://-oProxyCommand=id/x', 'over https or ssh'],
    ['git:-oProxyCommand=id@example.org:x', 'over https or ssh'],
    ['git:https://ada:secret@example.org/x', 'would be stored and shown'],
    ['git:https://example.org/x#--output=/etc/passwd', "can't be what to take"],
    ['git:https://example.org/x#a..b', "can't be what to take"],
    ['https://example.org/x', 'Write npm:NAME, git:https://example.org/x or a path'],
    ['not-there', "A package of npm's registry is written npm:not-there"],
  ] as const)
    expect(() => parseSource(text, here), text).toThrow(why);
});

const file: TarEntry = { name: 'package/a' };
const record = (content: string): TarEntry => ({ name: 'x', kind: 'x', content });

const hostile: readonly (readonly [string, readonly TarEntry[] | Buffer, string])[] = [
  ['a link out', [{ name: 'package/up', kind: '2', target: '../../../etc' }], 'has a link'],
  ['a hard link', [{ name: 'package/up', kind: '1', target: '/etc/passwd' }], 'has a link'],
  ['a name with ..', [{ name: 'package/../../up.ts' }], 'leads out of the folder'],
  ['an absolute name', [{ name: '/tmp/up.ts' }], 'leads out of the folder'],
  ['a backslash', [{ name: 'package/..\\up.ts' }], 'leads out of the folder'],
  ['an outermost folder that leads out', [{ name: '../up.ts' }], 'leads out of the folder'],
  ['an outermost folder of the same name', [{ name: './up.ts' }], 'leads out of the folder'],
  ['a device of Windows', [{ name: 'package/CON' }], "can't be stored everywhere"],
  ['such a device with an extension', [{ name: 'package/lib/com1.ts' }], "can't be stored everywhere"],
  ['a device', [{ name: 'package/null', kind: '3' }], 'has an entry of the kind'],
  ['packages of its own', [{ name: 'package/node_modules/x/index.js' }], 'brings packages along'],
  ['the same name twice', [{ name: 'package/a.ts' }, { name: 'package/A.ts' }], 'has two files'],
  ['a long name that leads out', [record('22 path=package/../up\n'), file], 'leads out of the folder'],
  [
    'names for all files',
    [{ name: 'x', kind: 'g', content: '13 path=../x\n' }, file],
    'settings for all of its files',
  ],
  [
    'a cut-off file',
    tarOf([{ name: 'package/a', content: 'a'.repeat(2000) }]).subarray(0, 1024),
    'is cut off',
  ],
  ['noise', Buffer.alloc(2048, 7), 'no tar archive'],
  ['an archive that is compressed twice', tgzOf(whole), 'no tar archive'],
  ['a link of which only a record tells', [record('24 linkpath=/etc/passwd\n'), file], 'has a link'],
  ['an entry of another kind', [{ name: 'package/a', kind: 'S' }], 'has an entry of the kind'],
  ['an unknown kind', [{ name: 'package/a', kind: 'Q' }], 'has an entry of the kind'],
  ['a bomb', Buffer.alloc(200_000_000), 'too large'],
];

test('archives that could do harm are refused, and leave nothing in the home', async () => {
  await using home = await createHome();
  const archive = join(home.path, 'dice-1.0.0.tgz');
  for (const [what, entries, why] of hostile) {
    writeFileSync(archive, gzipSync(Buffer.isBuffer(entries) ? entries : tarOf(entries), { level: 1 }));
    await expect(stageAt(archive, home.path), what).rejects.toThrow(why);
  }
  writeFileSync(archive, 'no archive');
  await expect(stageAt(archive, home.path)).rejects.toThrow("can't be unpacked");
  expect(existsSync(join(home.path, 'plugins'))).toBe(false);
});

test('what is no plugin for this Pegboard is refused in words', async () => {
  await using home = await createHome();
  const archive = join(home.path, 'dice.tgz');
  const json = (members: object): string =>
    JSON.stringify({ name: 'dice', env: process.env, version: '1.0.0', ...members });
  for (const [files, why] of [
    [{ 'index.ts': '' }, 'it has no plugin.yaml'],
    [{ ...whole, 'plugin.yaml': 'id: dice\nversio: "1"\n' }, 'The plugin.yaml of'],
    [{ ...whole, 'plugin.yaml': plugin.replace('dice', 'builtin-dice') }, "those of Pegboard's own plugins"],
    [{ ...whole, 'package.json': '{' }, 'package.json of'],
    [{ ...whole, 'package.json': json({ env: process.env, version: '1.0.1' }) }, 'has two versions: "1.0.1"'],
    [{ ...whole, 'package.json': json({ peerDependencies: { pegboard: '^0.4.0' } }) }, 'this is 0.3.0'],
    [{ ...whole, 'package.json': json({ peerDependencies: { pegboard: 'new' } }) }, 'no range of versions'],
    [
      { ...whole, 'package.json': json({ dependencies: { pegboard: '*' } }) },
      'belongs in "peerDependencies"',
    ],
    [{ ...whole, 'package.json': json({ dependencies: { x: 'file:../../x' } }) }, 'depends on x from file:'],
    [{ ...whole, 'package.json': json({ dependencies: { x: 'github:a/x' } }) }, 'depends on x from github:'],
    [{ ...whole, 'package.json': json({ dependencies: { '../x': '1' } }) }, 'depends on ../x'],
  ] as const) {
    writeFileSync(archive, tgzOf(files));
    await expect(stageAt(archive, home.path), why).rejects.toThrow(why);
  }
  expect(readdirSync(join(home.path, 'plugins'))).toEqual([]);
});

test('a folder is copied without links, packages and hidden files, and is found whenever its replacement is killed', async () => {
  await using home = await createHome();
  const folder = join(home.path, 'elsewhere/dice');
  mkdirSync(join(folder, 'node_modules/x'), { recursive: true });
  for (const [name, text] of Object.entries({ ...whole, '.npmrc': '', 'plugin.lock.json': 'theirs' }))
    writeFileSync(join(folder, name), text);
  symlinkSync('/etc', join(folder, 'etc'));
  await expect(stageAt(folder, home.path)).rejects.toThrow('etc is a link');
  renameSync(join(folder, 'etc'), join(folder, '.etc'));
  const plugins = join(home.path, 'plugins');
  const found = async (): Promise<readonly string[]> =>
    (await discoverPlugins(home.path, {})).manifests.flatMap(({ id, builtin, version }) =>
      builtin ? [] : `${id} ${version}`,
    );
  {
    using staged = await stageAt(folder, home.path);
    expect(readdirSync(staged.manifest.folder)).toEqual(['index.ts', 'plugin.lock.json', 'plugin.yaml']);
    expect(await found()).toEqual([]);
    await placeNew(home.path, 'dice', staged.manifest.folder);
  }
  expect(readdirSync(plugins)).toEqual(['dice']);
  const placed = join(plugins, 'dice');
  expect(readLock(placed)).toMatchObject({
    source: folder,
    resolved: folder,
    version: '1.0.0',
  });
  expect(readLock(placed)?.files).toEqual(ownFilesIn(placed));

  writeFileSync(join(folder, 'plugin.yaml'), plugin.replace('1.0.0', '1.1.0'));
  using next = await stageAt(folder, home.path);
  await expect(placeNew(home.path, 'dice', next.manifest.folder)).rejects.toThrow('already');
  // As a kill between the two renames leaves it.
  mkdirSync(join(plugins, '.replaced'));
  renameSync(placed, join(plugins, '.replaced/dice'));
  expect(await found()).toEqual(['dice 1.0.0']);
  const replacement = await placeInstead(home.path, 'dice', next.manifest.folder);
  expect(await found()).toEqual(['dice 1.1.0']);
  await replacement.goBack();
  expect(await found()).toEqual(['dice 1.0.0']);
  expect(readdirSync(plugins).filter((name) => !name.endsWith('.tmp'))).toEqual(['dice']);
});
