import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';

interface Found {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly path: string;
    readonly line: number | null;
    readonly message: string;
  }[];
}

const pluginFile = (id: string): string => `id: ${id}\nversion: 1.0.0\ndescription: Test\n`;
const trusted =
  'plugins: { failing: { trusted: true }, broken: { trusted: true }, shown: { trusted: true } }\n';
const throwing = `import { definePlugin } from 'pegboard';
export default definePlugin({
  setup() {
    throw new Error('no dictionary');
  },
});
`;

test('lint names a plugin whose setup fails, and the line', async () => {
  await using home = await createHome({
    'pegboard.yaml': trusted,
    'plugins/failing/plugin.yaml': pluginFile('failing'),
    'plugins/failing/index.ts': throwing,
  });
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  expect(diagnostics).toMatchObject([
    { severity: 'error', code: 'plugin-failed', path: 'plugins/failing/index.ts', line: 4 },
  ]);
  expect(diagnostics[0]!.message).toContain('no dictionary');
  expect(await pegboard(['lint'], { home: home.path })).toMatchObject({ code: 1 });
});

test('one mistake is reported once, though the plugin does not start because of it', async () => {
  await using home = await createHome({
    'pegboard.yaml': trusted,
    'plugins/broken/plugin.yaml': pluginFile('broken'),
    'plugins/broken/index.ts': 'export default {\n',
    'plugins/shown/plugin.yaml': pluginFile('shown'),
    'plugins/shown/tools/a.md': manifest('a', 'command: date\ntimout: 5'),
  });
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  expect(diagnostics.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'plugins/broken/index.ts syntax-error',
    'plugins/shown/tools/a.md unknown-key',
  ]);
});

test('lint names two plugins with one id, and two skills with one name', async () => {
  const skill = '---\nname: plating\ndescription: How to plate\n---\nRound plates.\n';
  await using home = await createHome({
    'plugins/one/plugin.yaml': pluginFile('one'),
    'plugins/one/index.ts': throwing,
    'plugins/two/plugin.yaml': pluginFile('one'),
    'plugins/two/index.ts': throwing,
    'spaces/s/agent/skills/plating.md': skill,
    'spaces/s/agent/skills/plating/SKILL.md': skill,
  });
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  expect(diagnostics.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'plugins/two/plugin.yaml plugin-folder-name',
    'plugins/two/plugin.yaml duplicate-plugin',
    'spaces/s/agent/skills/plating.md duplicate-skill',
  ]);
});

test.each([
  ['agent/tools/one.ts', 'the tools in spaces/s/agent/tools/one.ts did not load: no dictionary'],
  ['agent/tools/pack/one.ts', 'the tools in spaces/s/agent/tools/pack/one.ts did not load: no dictionary'],
])('tools in TypeScript at %s are called what they are', async (file, message) => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { spaces/s/one: { trusted: true }, spaces/s/pack: { trusted: true } }\n',
    [`spaces/s/${file}`]: "export default () => {\n  throw new Error('no dictionary');\n};\n",
  });
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  expect(diagnostics).toMatchObject([{ code: 'plugin-failed', path: `spaces/s/${file}`, line: 2, message }]);
});

test('code of a space that waits for consent is called what it is', async () => {
  await using home = await createHome({
    'spaces/s/agent/tools/one.ts': 'export default () => [];\n',
    'spaces/s/agent/tools/run.md': manifest('run', 'handler: ./run.ts#run'),
    'spaces/s/agent/tools/run.ts': 'export const run = () => 1;\n',
  });
  const { stdout, stderr } = await pegboard(['tools'], { home: home.path });
  const shown = (stdout + stderr).replaceAll(/\s+/g, ' ');
  expect(shown).toContain('the tools in spaces/s/agent/tools/one.ts did not load: ');
  expect(shown).toContain('the functions of manifests in spaces/s did not load: ');
  expect(shown).not.toContain('the plugin spaces/');
});
