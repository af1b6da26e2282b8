import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createApprovals } from '../../host/store/approvals.ts';
import { thisProcess } from '../../host/core/processes/owner.ts';
import { openState } from '../../host/store/state.ts';
import { createHome } from '../kit/home.ts';

test('an approval is kept across restarts, holds for its fingerprint alone, and can be revoked', async () => {
  await using home = await createHome();
  const file = join(home.path, 'data/state.json');
  await createApprovals(openState(file)).approve('example.deploy', 'f1');

  const approvals = createApprovals(openState(file));
  expect(approvals.isApproved('example.deploy', 'f1')).toBe(true);
  expect(approvals.isApproved('example.deploy', 'f2')).toBe(false);
  expect(await approvals.revoke('example.deploy')).toBe(1);
  expect(createApprovals(openState(file)).list()).toEqual([]);
});

test('a revocation by one process holds at once in another', async () => {
  await using home = await createHome();
  const file = join(home.path, 'data/state.json');
  const serving = createApprovals(openState(file));
  await serving.approve('example.deploy', 'f1');
  await createApprovals(openState(file)).revoke('example.deploy');
  expect(serving.isApproved('example.deploy', 'f1')).toBe(false);
});

test('a state file that is no JSON is moved aside and reported, and a new one begins', async () => {
  await using home = await createHome({ 'data/state.json': '{"approvals": [' });
  const file = join(home.path, 'data/state.json');
  const state = openState(file);
  expect(state.data.approvals).toEqual([]);
  expect(state.diagnostics[0]).toMatchObject({ code: 'state-unreadable', path: file });
  const names = await readdir(join(home.path, 'data'));
  const aside = names.find((name) => name.startsWith('state.json.unreadable-'))!;
  expect(await readFile(join(home.path, 'data', aside), 'utf8')).toBe('{"approvals": [');
  await createApprovals(state).approve('a.b', 'f');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ approvals: [{ tool: 'a.b' }] });
});

test('four processes that approve at once lose nothing', async () => {
  await using home = await createHome();
  const file = join(home.path, 'data/state.json');
  const script = join(import.meta.dirname, '../fixtures/approve.ts');
  const children = [1, 2, 3, 4].map((n) => fork(script, [file, `tool${n}`, '10']));
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(openState(file).data.approvals).toHaveLength(40);
});

test('the lock of a process that runs is waited for, however long ago it was taken by the clock', async () => {
  await using home = await createHome();
  const file = join(home.path, 'data/state.json');
  const lock = await home.write('data/state.json.lock', thisProcess);
  await utimes(lock, 0, 0);
  const approving = createApprovals(openState(file)).approve('a.b', 'f');
  await expect(Promise.race([approving.then(() => 'taken'), delay(300, 'held')])).resolves.toBe('held');
  await rm(lock);
  await approving;
  expect(openState(file).data.approvals).toHaveLength(1);
});

test('the lock of a process that was killed holds nobody up', async () => {
  await using home = await createHome();
  const file = join(home.path, 'data/state.json');
  const dead = spawnSync(process.execPath, ['--version']).pid;
  await home.write('data/state.json.lock', thisProcess.replace(String(process.pid), String(dead)));
  const started = performance.now();
  await Promise.all(['a.b', 'c.d', 'e.f'].map((tool) => createApprovals(openState(file)).approve(tool, 'f')));
  expect(performance.now() - started, 'a lock is else waited for for ten seconds').toBeLessThan(5_000);
  expect(openState(file).data.approvals).toHaveLength(3);
  expect(await readdir(join(home.path, 'data'))).toEqual(['state.json']);
});
