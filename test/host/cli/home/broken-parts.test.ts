import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

test('a plugin whose plugin.yaml is broken is listed, and the list ends with a failure', async () => {
  await using home = await createHome({ 'plugins/bad/plugin.yaml': 'id: [x\n' });
  const listed = await pegboard(['plugins'], { home: home.path });
  expect(listed).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^bad +broken$/m),
    stderr: expect.stringContaining('plugins/bad/plugin.yaml:2:1: this is not YAML'),
  });
  const { stdout } = await pegboard(['plugins', '--json'], { home: home.path });
  const { plugins } = JSON.parse(stdout) as { readonly plugins: readonly object[] };
  expect(plugins.at(-1)).toMatchObject({ id: 'bad', state: 'broken', builtin: false });
});

test('an agent is called left out only if it is', async () => {
  await using home = await createHome({
    'spaces/a/agent/agent.yaml': 'id: a\ntools: { modules: { nothing: {} } }\n',
    'spaces/b/agent/agent.yaml': 'id: [b\n',
    'spaces/c/agent/agent.yaml': 'id: c\ntools: { modules: { agent_spawn: {}, core: {} } }\n',
  });
  const { agents } = await pegboardJson<{ readonly agents: readonly { readonly id: string }[] }>(
    ['agents', '--json'],
    {
      home: home.path,
    },
  );
  expect(agents.map(({ id }) => id)).toEqual(['personal', 'a', 'c']);
  const { stderr } = await pegboard(['agents'], { home: home.path });
  expect(stderr).toContain('Left out, because they are broken: spaces/b/agent/agent.yaml.');
  expect(stderr).toContain('In service, with mistakes: spaces/a/agent/agent.yaml.');
  expect(stderr).not.toContain('spaces/c');
});
