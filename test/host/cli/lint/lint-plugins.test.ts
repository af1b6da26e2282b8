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
