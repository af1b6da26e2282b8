import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toIso } from '../../../../plugins/builtin-core/schedule/claims.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { firstMoment, openScheduleRig, stoppedClock, type Moment } from './kill-rig.ts';

test.each<[Moment, string, string]>([
  ['claimed', 'has not begun is done by the next one', 'done'],
  ['effect', 'has had its effect is not repeated, and reported as uncertain', 'uncertain'],
])('killed when it is "%s", a run that %s', async (moment, _what, state) => {
  await using home = await createHome();
  const errors: string[] = [];
  const options = { failed: (text: string) => errors.push(text), longestRunMs: 0, clock: stoppedClock };
  const last = openScheduleRig(home.path, 0, options);
  await using _database = last.database;
  const schedule = await last.store.add({
    kind: 'instruction',
    timezone: 'UTC',
    agent: null,
    creator: 'test',
    channel: 'telegram',
    chat: '1',
    created_at: toIso(firstMoment),
    limits: null,
    untrusted: null,
    paused_at: null,
    asked_at: null,
    handled_until: toIso(firstMoment),
    text: 'Water it',
    cron: null,
    run_at: toIso(firstMoment + 60_000),
    catch_up: 'run_once',
  });

  const program = join(import.meta.dirname, 'kill-child.ts');
  const child = spawn(process.execPath, [program, home.path, '0', 'Infinity', '100', moment], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);

  const open = await last.store.runs(undefined, 10);
  expect(open).toMatchObject([{ schedule_id: schedule, state: 'running' }]);
  await using _scheduler = await last.start();
  await expect
    .poll(async () =>
      (await last.store.runs(undefined, 10)).map(({ delivery, ...run }) => [run.state, delivery]),
    )
    .toEqual([[state, 'delivered']]);
  const linesOf = (file: string): readonly string[] =>
    readFileSync(join(home.path, file), 'utf8').trim().split('\n');
  expect(linesOf('effects')).toEqual([`${schedule} ${toIso(firstMoment + 60_000)}`]);
  expect(linesOf('delivered')).toEqual([
    state === 'done' ? linesOf('effects')[0] : expect.stringContaining('uncertain'),
  ]);
  expect(errors).toEqual([]);
});
