import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, startPegboard } from '../../../kit/cli.ts';
import { leaveJobs } from '../../../kit/engine/left-jobs.ts';
import { createHome, createUnusedHome } from '../../../kit/homes/home.ts';
import { expectLetters, listed } from './listed-hosts.ts';

test('a home without a database has no hosts, and listing them makes none', async () => {
  await using home = await createUnusedHome();
  const { code, stdout, stderr } = await pegboard(['hosts'], { home: home.path });
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(/^No host runs\. `.* start` starts one\.\n$/);
  expect(await listed(home.path)).toMatchObject({ hosts: [], queues: [] });
  expect(existsSync(join(home.path, 'data'))).toBe(false);
});

test('on SQLite the running host is listed until it is killed, and whoever lists it is none', async () => {
  await using home = await createHome();
  await using host = startPegboard(['start'], { home: home.path, apart: true });
  await host.waitFor(/running \d/);
  const own = { id: expect.stringMatching(new RegExp(`/${host.child.pid}$`)), live: true };
  await listed(home.path);
  expect((await listed(home.path)).hosts).toMatchObject([own]);
  await expect
    .poll(async () => (await pegboard(['hosts'], { home: home.path })).stdout)
    .toMatch(new RegExp(`^HOST +STATE +ROLES\n\\S+/${host.child.pid} +live +core.watchers\n$`));
  host.child.kill('SIGKILL');
  await host.ended;
  expect((await listed(home.path)).hosts).toMatchObject([{ ...own, live: false }]);
  expect((await pegboard(['hosts'], { home: home.path })).stdout).toMatch(
    /\/\d+ +gone for \d.*core\.watchers\n/,
  );
});

test('what waits is listed with how long it has waited, also while no host runs', async () => {
  await using home = await createHome();
  await leaveJobs(home.path);
  await expectLetters(home.path);
});
