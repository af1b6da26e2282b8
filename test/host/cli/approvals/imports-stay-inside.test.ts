import { symlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { pegboard } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';

const outside = (word: string): string => `export const said = '${word}';\n`;
const plugin = (imports: string): string => `
import { definePlugin, defineTool } from 'pegboard';
${imports}
export default definePlugin({
  setup: () => ({
    packs: { words: [defineTool({ name: 'say', description: 'Says a word', parameters: { type: 'object' }, execute: async () => said + (await late()) })] },
  }),
});
`;
const manifestOf = (entry: string): string =>
  `id: words\nversion: "1.0.0"\ndescription: Words\nentry: ${entry}\npacks:\n  words:\n    description: Words\n`;
const inside = {
  'plugins/words/plugin.yaml': manifestOf('index.ts'),
  'plugins/words/lib/own.ts': outside('own'),
  'shared/said.ts': outside('shared'),
  'node_modules/packaged/package.json': '{ "name": "packaged", "type": "module", "exports": "./index.js" }',
  'node_modules/packaged/index.js': "export const late = async () => '!';\n",
};
const packaged = "import { late } from 'packaged';\n";

const cases: readonly (readonly [string, string])[] = [
  ['a path that leaves the folder', `${packaged}import { said } from '../../shared/said.ts';`],
  [
    'a name that is computed when it runs',
    "const said = 'own';\nconst late = async () => (await import(['..', '..', 'shared', 'said.ts'].join('/'))).said;",
  ],
  [
    'require',
    "import { createRequire } from 'node:module';\nconst { said } = createRequire(import.meta.url)('../../shared/said.ts');\nconst late = async () => '';",
  ],
  ['a hidden file', `${packaged}import { said } from './.said.ts';`],
];

test.each(cases)('a plugin can not load what was not approved with it, by %s', async (_how, imports) => {
  await using home = await createHome({
    ...inside,
    'plugins/words/index.ts': plugin(imports),
    'plugins/words/.said.ts': outside('hidden'),
  });
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  expect(await run('approvals', 'allow', 'words', '--yes')).toMatchObject({ code: 0 });
  const called = await run('call', 'words.say');
  expect(called.code).not.toBe(0);
  const { stdout, stderr } = await run('status');
  const told = `${called.stderr}${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
  expect(told).toMatch(/said\.ts, which is not part of \S*plugins\/words/);
});

test('a plugin loads its own files, linked ones as they were approved, and packages', async () => {
  await using home = await createHome({
    ...inside,
    'plugins/words/index.ts': plugin(`${packaged}import { said } from './lib/linked.ts';`),
  });
  await symlink('../../../shared/said.ts', `${home.path}/plugins/words/lib/linked.ts`);
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  expect(await run('approvals', 'allow', 'words', '--yes')).toMatchObject({ code: 0 });
  expect(await run('call', 'words.say')).toMatchObject({ code: 0, stdout: 'shared!\n' });
  await home.write('shared/said.ts', outside('owned'));
  expect(await run('call', 'words.say')).toMatchObject({ code: 0, stdout: 'shared!\n' });
});

test('the entry of a plugin is one of its own files', async () => {
  await using home = await createHome({
    ...inside,
    'plugins/words/plugin.yaml': manifestOf('../../shared/entry.ts'),
    'shared/entry.ts': plugin(`${packaged}const said = 'entry';`),
  });
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  await run('approvals', 'allow', 'words', '--yes');
  expect((await run('call', 'words.say')).code).not.toBe(0);
  const { stdout, stderr } = await run('status');
  expect(`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')).toContain('shared/entry.ts is not part of');
});

test('a handler can not load what was not approved with its space', async () => {
  await using home = await createHome({
    'spaces/own/agent/tools/greet.md': manifest('greet', 'handler: ./greet.ts#run'),
    'spaces/own/agent/tools/greet.ts': "export { run } from '../../../../shared/greet.ts';\n",
    'shared/greet.ts': "export const run = () => 'hello';\n",
  });
  const run = (...args: string[]) => pegboard(args, { home: home.path });
  expect(await run('approvals', 'allow', 'spaces/own', '--yes')).toMatchObject({ code: 0 });
  const called = await run('call', 'greet');
  expect(called.code).not.toBe(0);
  expect(called.stderr.replaceAll(/\s+/g, ' ')).toMatch(/greet\.ts, which is not part of \S*spaces\/own/);
});
