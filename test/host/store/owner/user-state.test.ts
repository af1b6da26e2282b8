import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { hash } from 'node:crypto';
import { readdir, readFile, realpath, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { createApprovals } from '../../../../host/store/owner/approvals.ts';
import { userStateFolder } from '../../../../host/core/platform/places.ts';
import { thisProcess } from '../../../../host/core/processes/owner.ts';
import { openUserState, type UserState } from '../../../../host/store/owner/user-state.ts';
import { createHome } from '../../../kit/homes/home.ts';

const stateOf = (home: string): UserState => openUserState(home, userStateFolder(processSurroundings()));

test('an approval is kept across restarts, holds for its fingerprint alone, and can be revoked', async () => {
  await using home = await createHome();
  await createApprovals(stateOf(home.path).approved).approve('example.deploy', 'f1');

  const approvals = createApprovals(stateOf(home.path).approved);
  expect(approvals.isApproved('example.deploy', 'f1')).toBe(true);
  expect(approvals.isApproved('example.deploy', 'f2')).toBe(false);
  expect(await approvals.revoke('example.deploy')).toBe(1);
  expect(createApprovals(stateOf(home.path).approved).list()).toEqual([]);
});

test('a revocation by one process holds at once in another', async () => {
  await using home = await createHome();
  const serving = createApprovals(stateOf(home.path).approved);
  await serving.approve('example.deploy', 'f1');
  await createApprovals(stateOf(home.path).approved).revoke('example.deploy');
  expect(serving.isApproved('example.deploy', 'f1')).toBe(false);
});

test('a file that is no JSON is moved aside and reported, and a new one begins', async () => {
  await using home = await createHome();
  const { folder } = stateOf(home.path);
  const file = join(folder, 'approved.json');
  await writeFile(file, '{"approvals": [');
  const { approved } = stateOf(home.path);
  expect(approved.data.approvals).toEqual([]);
  expect(approved.diagnostics[0]).toMatchObject({ code: 'state-unreadable', path: file });
  const aside = (await readdir(folder)).find((name) => name.startsWith('approved.json.unreadable-'))!;
  expect(await readFile(join(folder, aside), 'utf8')).toBe('{"approvals": [');
  await createApprovals(approved).approve('a.b', 'f');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ approvals: [{ tool: 'a.b' }] });
});

test("the folder is the platform's, unless the environment names an absolute one", () => {
  const at = (environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string =>
    userStateFolder({ env: environment, userHome: '/home/ada' }, platform);
  expect(at({ XDG_STATE_HOME: '/state' }, 'linux')).toBe('/state/pegboard');
  expect(at({ XDG_STATE_HOME: 'state' }, 'linux')).toBe('/home/ada/.local/state/pegboard');
  expect(at({}, 'linux')).toBe('/home/ada/.local/state/pegboard');
  expect(at({}, 'darwin')).toBe('/home/ada/Library/Application Support/pegboard');
  expect(at({ LOCALAPPDATA: '/local' }, 'win32')).toBe('/local/pegboard');
  expect(at({}, 'win32')).toBe('/home/ada/AppData/Local/pegboard');
});

test('what is kept is for this user alone from the beginning, and named by the real path of the home', async () => {
  await using home = await createHome({ 'real/pegboard.yaml': '' });
  const root = join(home.path, 'state');
  const [real, link] = [join(home.path, 'real'), join(home.path, 'link')];
  await symlink(real, link);
  const { folder, approved } = openUserState(link, root);
  expect(folder).toBe(join(root, 'homes', hash('sha256', await realpath(real)).slice(0, 32)));
  expect(openUserState(real, root).folder).toBe(folder);
  expect(openUserState(join(real, 'not/there'), root).folder).toBe(
    openUserState(join(link, 'not/there'), root).folder,
  );
  await createApprovals(approved).approve('a.b', 'f');
  for (const path of [root, join(root, 'homes'), folder])
    expect((await stat(path)).mode & 0o777, path).toBe(0o700);
  expect((await stat(join(folder, 'approved.json'))).mode & 0o777).toBe(0o600);
});

test('four processes that approve at once lose nothing', async () => {
  await using home = await createHome();
  const script = join(import.meta.dirname, '../../../fixtures/approve.ts');
  const children = [1, 2, 3, 4].map((n) => fork(script, [home.path, `tool${n}`, '10']));
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(stateOf(home.path).approved.data.approvals).toHaveLength(40);
});

test('the lock of a process that runs is waited for, however long ago it was taken by the clock', async () => {
  await using home = await createHome();
  const { folder } = stateOf(home.path);
  const lock = join(folder, 'approved.json.lock');
  await writeFile(lock, thisProcess);
  await utimes(lock, 0, 0);
  const approving = createApprovals(stateOf(home.path).approved).approve('a.b', 'f');
  await expect(Promise.race([approving.then(() => 'taken'), delay(300, 'held')])).resolves.toBe('held');
  await rm(lock);
  await approving;
  expect(stateOf(home.path).approved.data.approvals).toHaveLength(1);
});

test('the lock of a process that was killed blocks nobody', async () => {
  await using home = await createHome();
  const { folder } = stateOf(home.path);
  const dead = spawnSync(process.execPath, ['--version']).pid;
  const lock = join(folder, 'approved.json.lock');
  await writeFile(lock, thisProcess.replace(String(process.pid), String(dead)));
  // Waiting until it is old would not help: it never is.
  const later = Date.now() / 1_000 + 3_600;
  await utimes(lock, later, later);
  await Promise.all(
    ['a.b', 'c.d', 'e.f'].map((tool) => createApprovals(stateOf(home.path).approved).approve(tool, 'f')),
  );
  expect(stateOf(home.path).approved.data.approvals).toHaveLength(3);
  expect(await readdir(folder)).toEqual(['approved.json', 'home.json']);
});
