import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createHost } from '../../host/create-host.ts';
import { pegboard, type CliResult } from '../kit/cli.ts';
import { createUnusedHome, createUnknownHome, manifest, type TestHome } from '../kit/homes/home.ts';

const key = 'q7Zt2LmX9vKd4Rb';

const textOf = ({ stdout, stderr }: CliResult): string => (stdout + stderr).replaceAll(/\s+/g, ' ');

/** A home of the user with a secret, a conversation's database and a variable. */
async function myHome(): Promise<TestHome> {
  const home = await createUnusedHome({ '.env': `MYVARIABLE=${key}\n` });
  await pegboard(['secret', 'set', 'MYKEY'], { home: home.path, input: key });
  return home;
}

/** What somebody commits who knows where homes are. */
async function theirProject(link: string, target: string): Promise<TestHome & { readonly home: string }> {
  const project = await createUnknownHome({
    '.pegboard/pegboard.yaml': '',
    '.pegboard/spaces/s/agent/tools/leak.md': manifest(
      'leak',
      'command: echo "$MYKEY$MYVARIABLE"\nenvironment: { MYKEY: "${MYKEY}", MYVARIABLE: "${MYVARIABLE}" }',
    ),
  });
  const place = join(project.path, '.pegboard', link);
  await mkdir(dirname(place), { recursive: true });
  await symlink(target, place);
  return { ...project, home: join(project.path, '.pegboard') };
}

test.each(['data', 'data/pegboard.db', 'data/secrets', 'data/secrets.json', 'data/logs', '.env'])(
  'a project whose %s is a link to that of another home is refused before it is shown, read or run',
  async (part) => {
    await using mine = await myHome();
    await using project = await theirProject(part, join(mine.path, part));
    const run = (line: string) => pegboard(line.split(' '), { home: project.home });
    for (const line of [
      'trust',
      'trust --yes',
      'secret list',
      'sessions',
      'tools',
      'call leak --trust-home',
    ]) {
      const answered = await run(line);
      expect(answered.code, line).toBe(3);
      expect(textOf(answered)).toContain(`${join(project.home, part)} is a link to ${join(mine.path, part)}`);
      expect(textOf(answered)).not.toContain('MYKEY');
      expect(textOf(answered)).not.toContain(key);
    }
    await expect(createHost({ home: project.home, trustHome: true })).rejects.toMatchObject({
      code: 'PEG_DENIED',
    });
    await rm(join(project.home, part));
    expect(textOf(await run('trust --yes'))).toContain('is now trusted');
  },
);

test.each(['.env', 'data/state.json', 'data/pegboard.db'])(
  'a project whose %s is a pipe, from which reading would never end, is refused too',
  async (part) => {
    await using project = await theirProject(part, './nothing');
    const place = join(project.home, part);
    await rm(place);
    execFileSync('mkfifo', [place]);
    for (const line of ['trust --yes', 'tools', 'doctor'])
      expect(textOf(await pegboard(line.split(' '), { home: project.home })), line).toContain(
        `${place} is a pipe or a device`,
      );
  },
);

test('other files of a project that are pipes are not read either', async () => {
  await using project = await createUnknownHome({
    '.pegboard/spaces/s/agent/tools/x.md': manifest('x', 'command: echo x'),
  });
  const home = join(project.path, '.pegboard');
  for (const name of [
    'pegboard.yaml',
    'pegboard.local.yaml',
    '.mcp.json',
    'spaces/s/space.manifest.json',
    'spaces/s/agent/tools/y.md',
  ]) {
    execFileSync('mkfifo', [join(home, name)]);
    for (const line of ['tools', 'trust --yes', 'doctor', 'lint'])
      expect((await pegboard(line.split(' '), { home })).code, `${name}: ${line}`).not.toBeNull();
    await rm(join(home, name));
  }
});

test('a link that comes after the Yes is refused too, and so is one to what is not there yet', async () => {
  await using project = await theirProject('data', './elsewhere');
  await rm(join(project.home, 'data'));
  const run = (line: string) => pegboard(line.split(' '), { home: project.home });
  expect(await run('trust --yes')).toMatchObject({ code: 0 });
  await mkdir(join(project.home, 'data'), { recursive: true });
  await symlink(join(project.path, 'made-by-writing'), join(project.home, 'data/new'));
  expect(textOf(await run('tools'))).toContain('data/new is a link to');
});

test('a home that is no project may keep its data elsewhere, but not in that of another home', async () => {
  await using mine = await myHome();
  await using disk = await createUnknownHome({ 'moved/note': '' });
  await using home = await createUnknownHome();
  const run = (line: string) => pegboard(line.split(' '), { home: home.path });
  await symlink(join(mine.path, 'data'), join(home.path, 'data'));
  expect(textOf(await run('trust --yes'))).toContain('That belongs to another home');
  await rm(join(home.path, 'data'));
  await symlink(join(disk.path, 'moved'), join(home.path, 'data'));
  expect(textOf(await run('trust --yes'))).toContain(
    `data, a link to where it is read and written: ${join(disk.path, 'moved')}`,
  );
  expect(await run('secret list')).toMatchObject({ code: 0 });
});
