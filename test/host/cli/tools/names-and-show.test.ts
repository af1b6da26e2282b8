import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';

interface Told {
  readonly diagnostics: readonly { readonly code: string; readonly message: string; readonly path: string }[];
}
const files = {
  // The space's own tool is first by name, the manifest is first in lookup order.
  'spaces/alpha/space.manifest.json': JSON.stringify({
    id: 'alpha',
    name: 'Alpha',
    tools: [{ id: 'deploy', name: 'Deploy', description: 'Deploys', command: 'echo alpha' }],
  }),
  'spaces/beta/agent/tools/deploy.md': manifest('deploy', 'command: echo beta'),
  'spaces/beta/agent/tools/read.md': manifest('read', 'command: echo read'),
};

test('lint and the host say the same of names: who has one, also where a built-in tool does', async () => {
  await using home = await createHome(files);
  const shadowed = ({ diagnostics }: Told): string[] =>
    diagnostics
      .filter(({ code }) => code === 'shadowed-name')
      .map(({ message, path }) => `${path}: ${/^"\w+" means [\w.]+/.exec(message)![0]}`)
      .toSorted();
  const expected = [
    'spaces/alpha/space.manifest.json: "deploy" means beta.deploy',
    'spaces/beta/agent/tools/read.md: "read" means filesystem.read',
  ];
  expect(shadowed(await pegboardJson<Told>(['tools'], { home: home.path }))).toEqual(expected);
  expect(shadowed(await pegboardJson<Told>(['lint'], { home: home.path }))).toEqual(expected);
});

test('show has the command and the icon of a tool', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/greet.md': manifest('greet', 'icon: 👋\ncommand: echo hello | tr a-z A-Z'),
  });
  const { stdout } = await pegboard(['show', 'greet'], { home: home.path });
  expect(stdout).toMatch(/icon +👋/);
  expect(stdout).toMatch(/runs +echo hello \| tr a-z A-Z/);
  expect(await pegboardJson(['show', 'greet'], { home: home.path })).toMatchObject({
    icon: '👋',
    command: 'echo hello | tr a-z A-Z',
  });
});

test('a job that a single command starts in the background says that it ends with it', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/wait.md': manifest('wait', 'command: sleep 60'),
  });
  const args = JSON.stringify({ mode: 'start', tool: 'wait' });
  const { stdout, code } = await pegboard(['call', 'background_run', '--args', args, '--yes'], {
    home: home.path,
  });
  expect(code).toBe(0);
  expect(stdout).toContain('is interrupted when the command ends');
  expect(stdout).not.toContain('You will be notified');
});
