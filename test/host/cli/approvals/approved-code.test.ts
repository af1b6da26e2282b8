import { globSync } from 'node:fs';
import { appendFile, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { userStateFolder } from '../../../../host/core/platform/places.ts';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { openUserState } from '../../../../host/store/owner/user-state.ts';
import { pegboard, type CliResult } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';

const plugin = (word: string): string => `
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definePlugin, defineTool } from 'pegboard';
import { shout } from './lib/shout.ts';
import { ending } from 'endings';
const said = readFileSync(join(import.meta.dirname, 'suffix.txt'), 'utf8');
export default definePlugin({
  setup: () => ({
    packs: { words: [defineTool({ name: 'say', description: 'Says a word', parameters: { type: 'object' }, execute: async () =>
      shout('${word}') + said + ending + (await import('./lib/late.ts')).late })] },
    commands: { word: ({ out }) => out('${word}') },
  }),
});
`;
const manifestOf = (version: string): string =>
  `id: words\nversion: "${version}"\ndescription: Words\npacks:\n  words:\n    description: Words\ncommands:\n  word:\n    summary: Says a word\n`;

const files = {
  'plugins/words/plugin.yaml': manifestOf('1.0.0'),
  'plugins/words/index.ts': plugin('one'),
  'plugins/words/lib/shout.ts': 'export const shout = (text: string): string => text.toUpperCase();\n',
  'plugins/words/lib/late.ts': "export const late = '';\n",
  'plugins/words/suffix.txt': '!',
  'plugins/words/tools/script.md':
    '---\nid: script\nname: Script\ndescription: Runs a script\ncommand: sh run.sh\n---\n',
  'plugins/words/run.sh': 'echo first\n',
  // Its own packages and those of its home are not part of what is approved.
  'node_modules/endings/package.json': '{ "name": "endings", "type": "module", "exports": "./index.js" }',
  'node_modules/endings/index.js': "export const ending = '?';\n",
};

const runner =
  (home: TestHome) =>
  (...args: string[]): Promise<CliResult> =>
    pegboard(args, { home: home.path });

/** The copies of approved code. */
const copiesOf = (home: TestHome): readonly string[] => {
  const { folder } = openUserState(home.path, userStateFolder(processSurroundings()));
  return globSync('code/*', { cwd: folder }).map((name) => join(folder, name));
};

test('a plugin whose code has changed is served as it was approved, until the change is approved', async () => {
  await using home = await createHome(files);
  const run = runner(home);
  expect((await run('call', 'words.say')).code).toBe(3);
  expect(await run('approvals', 'allow', 'words', '--yes')).toMatchObject({ code: 0 });
  expect(await run('call', 'words.say')).toMatchObject({ code: 0, stdout: 'ONE!?\n', stderr: '' });

  for (const [name, text] of Object.entries({
    'index.ts': plugin('two'),
    'lib/shout.ts': 'export const shout = (): string => "owned";\n',
    'lib/late.ts': "export const late = 'owned';\n",
    'suffix.txt': '.',
    'run.sh': 'echo owned\n',
    'plugin.yaml': manifestOf('2.0.0').replaceAll('words:', 'others:'),
  }))
    await home.write(`plugins/words/${name}`, text);
  const notice = 'pegboard approvals allow words';
  const old = await run('call', 'words.say');
  expect(old).toMatchObject({ code: 0, stdout: 'ONE!?\n' });
  expect(old.stderr.replaceAll(/\s+/g, ' ')).toContain(notice);
  expect(await run('word')).toMatchObject({ code: 0, stdout: 'one\n' });
  expect(await run('call', 'words.script', '--yes')).toMatchObject({ code: 0, stdout: 'first\n' });
  expect((await run('approvals')).stdout).toContain('plugin words');

  await home.write('plugins/words/plugin.yaml', manifestOf('2.0.0'));
  expect(await run('approvals', 'allow', 'words', '--yes')).toMatchObject({ code: 0 });
  expect(await run('call', 'words.say')).toMatchObject({ code: 0, stdout: 'owned.?owned\n', stderr: '' });
  expect((await run('approvals')).stdout).not.toContain('plugin words');
  expect(copiesOf(home)).toHaveLength(1);

  expect(await run('approvals', 'revoke', 'words')).toMatchObject({ code: 0 });
  expect(await run('call', 'words.say')).toMatchObject({ code: 3, stdout: '' });
  expect(copiesOf(home)).toEqual([]);
});

test('so is a TypeScript tool of a space, with what it imports from elsewhere', async () => {
  const tool = (word: string): string =>
    `import { loud } from '../../lib/loud.ts';\nexport default { name: 'greet', description: 'Greets', parameters: { type: 'object' }, execute: () => loud('${word}') };\n`;
  const loud = (mark: string): string => `export const loud = (text: string) => text + '${mark}';\n`;
  await using home = await createHome({
    'spaces/own/agent/tools/greet.ts': tool('hello'),
    'spaces/own/lib/loud.ts': loud('!'),
  });
  const run = runner(home);
  await run('approvals', 'allow', 'spaces/own/greet', '--yes');
  await home.write('spaces/own/lib/loud.ts', loud('?'));
  expect(await run('call', 'own.greet')).toMatchObject({ code: 0, stdout: 'hello!\n' });
  await home.write('spaces/own/agent/tools/greet.ts', tool('bye'));
  expect(await run('call', 'own.greet')).toMatchObject({ code: 0, stdout: 'hello!\n' });
  await run('approvals', 'allow', 'spaces/own/greet', '--yes');
  expect(await run('call', 'own.greet')).toMatchObject({ code: 0, stdout: 'bye?\n' });
});

test('a plugin whose plugin.yaml is broken is served as it was approved, until it is right again', async () => {
  await using home = await createHome(files);
  const run = runner(home);
  await run('approvals', 'allow', 'words', '--yes');
  await home.write('plugins/words/plugin.yaml', 'id: words\nversion: [1\n');
  await home.write('plugins/words/index.ts', plugin('two'));

  const called = await run('call', 'words.say');
  expect(called).toMatchObject({ code: 0, stdout: 'ONE!?\n' });
  const said = called.stderr.replaceAll(/\s+/g, ' ');
  expect(said).toMatch(
    /the new version of the plugin words is not in service: its plugin\.yaml is broken: \S*plugins\/words\/plugin\.yaml:\d+:\d+: .* The approved version keeps running\./,
  );
  expect(said).not.toContain('approvals allow');
  expect(await run('word')).toMatchObject({ code: 0, stdout: 'one\n' });
  expect((await run('tools', '--json')).stdout).toContain('its plugin.yaml is broken');
  expect((await run('approvals')).stdout).not.toContain('plugin words');
  const refused = await run('approvals', 'allow', 'words', '--yes');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("words can't be approved while its plugin.yaml is broken");

  // So does one that can be parsed, but does not fit the schema.
  await home.write('plugins/words/plugin.yaml', `${manifestOf('2.0.0')}verison: 2\n`);
  expect(await run('call', 'words.say')).toMatchObject({ code: 0, stdout: 'ONE!?\n' });

  await home.write('plugins/words/plugin.yaml', manifestOf('2.0.0'));
  expect(await run('approvals', 'allow', 'words', '--yes')).toMatchObject({ code: 0 });
  expect(await run('call', 'words.say')).toMatchObject({ code: 0, stdout: 'TWO!?\n', stderr: '' });
});

test('without the trust, or an intact copy, nothing of a plugin with a broken plugin.yaml runs', async () => {
  await using home = await createHome(files);
  const run = runner(home);
  await run('approvals', 'allow', 'words', '--yes');
  await home.write('plugins/words/plugin.yaml', 'id: words\nversion: [1\n');
  await appendFile(join(copiesOf(home)[0]!, 'files/lib/shout.ts'), '\nconsole.log("owned")\n');
  expect(await run('call', 'words.say')).toMatchObject({ code: 4, stdout: '' });

  await home.write('plugins/words/plugin.yaml', manifestOf('1.0.0'));
  await run('approvals', 'allow', 'words', '--yes');
  await home.write('plugins/words/plugin.yaml', 'id: words\nversion: [1\n');
  expect(await run('approvals', 'revoke', 'words')).toMatchObject({ code: 0 });
  expect(await run('call', 'words.say')).toMatchObject({ code: 4, stdout: '' });
});

test.each([
  ['changed', async (copy: string) => appendFile(copy, '\nconsole.log("owned")\n'), 'is damaged'],
  ['incomplete', async (copy: string) => rm(copy), 'is damaged'],
  [
    'without its description',
    async (copy: string) => writeFile(join(copy, '../../../copy.json'), '{'),
    'is damaged',
  ],
  ['gone', async (copy: string) => rm(join(copy, '../../..'), { recursive: true }), 'is gone'],
])('an approved copy that is %s does not run, and neither does the change', async (_how, damage, message) => {
  await using home = await createHome(files);
  const run = runner(home);
  await run('approvals', 'allow', 'words', '--yes');
  await home.write('plugins/words/index.ts', plugin('two'));
  const [copy] = copiesOf(home);
  await damage(join(copy!, 'files/lib/shout.ts'));
  const refused = await run('call', 'words.say');
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  const why = refused.stderr.replaceAll(/\s+/g, ' ');
  expect(why).toContain(`the copy of what you approved ${message}`);
  expect(why).toContain('pegboard approvals allow words');
  // Exactly the approved code is still approved.
  await home.write('plugins/words/index.ts', plugin('one'));
  expect(await run('call', 'words.say')).toMatchObject({ code: 0, stdout: 'ONE!?\n' });
  expect(await readFile(join(home.path, 'plugins/words/index.ts'), 'utf8')).toBe(plugin('one'));
});

test('an approval shows which files of a plugin are new, changed or gone, and how', async () => {
  await using home = await createHome(files);
  const run = runner(home);
  const first = await run('approvals', 'show', 'words');
  for (const name of ['index.ts', 'lib/shout.ts', 'lib/late.ts', 'tools/script.md'])
    expect(first.stdout).toMatch(new RegExp(`^\\W*${name}$`, 'm'));
  expect(await run('approvals', 'allow', 'words', '--yes')).toMatchObject({ code: 0 });

  await home.write('plugins/words/lib/shout.ts', 'export const shout = (): string => "owned\u200b";\n');
  await home.write('plugins/words/lib/new.ts', 'export const added = 1;\n');
  await home.write('plugins/words/picture.bin', '\0\0');
  await rm(join(home.path, 'plugins/words/run.sh'));
  const shown = (await run('approvals', 'show', 'words')).stdout.replaceAll(/^\W{1,2} /gm, '');
  expect(shown).toMatch(
    /lib\/shout\.ts is changed\n[^]*-export const shout = \(text[^]*\+export const shout = \(\): string => "owned\\u\{200b\}";/,
  );
  expect(shown).toMatch(/lib\/new\.ts is new\n[^]*\+export const added = 1;/);
  expect(shown).toMatch(/run\.sh is gone\n[^]*-echo first/);
  expect(shown).toMatch(/picture\.bin is new\nIts content is not text/);
  expect(shown).not.toMatch(/index\.ts|late\.ts|suffix\.txt/);
  const { stderr, code } = await run('approvals', 'allow', 'words');
  expect(code).toBe(3);
  expect(stderr).toContain('+export const added = 1;');

  // Without the copy there is no difference: everything is listed.
  for (const copy of copiesOf(home)) await rm(copy, { recursive: true });
  expect((await run('approvals', 'show', 'words')).stdout).toMatch(/^\W*index\.ts$/m);
});

test('what is no regular file keeps a plugin from being approved, and is named', async () => {
  await using home = await createHome({ ...files, 'shared/a.ts': '' });
  const run = runner(home);
  const link = join(home.path, 'plugins/words/sd');
  for (const [target, what] of [
    ['../../shared', 'it is a link to a folder'],
    ['/dev/zero', 'it is not a regular file'],
    ['nowhere', 'it is a link that leads nowhere'],
  ] as const) {
    await rm(link, { force: true });
    await symlink(target, link);
    const { code, stderr } = await run('approvals', 'allow', 'words', '--yes');
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect([target, code]).toEqual([target, 2]);
    expect(said).toContain(`${link} can't be approved: ${what}`);
    expect(said).not.toContain('bug');
    const lint = await run('lint');
    expect([target, lint.code]).toEqual([target, 1]);
    expect((lint.stdout + lint.stderr).replaceAll(/\s+/g, ' ')).toContain(what);
  }
});
