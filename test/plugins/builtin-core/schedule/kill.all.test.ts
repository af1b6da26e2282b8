import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { ruleTiming } from '../../../../plugins/builtin-core/schedule/timing.ts';
import { toIso } from '../../../../plugins/builtin-core/schedule/claims.ts';
import { isOnPostgres } from '../../../kit/database.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { randomFrom } from '../../../kit/data/random.ts';
import { rounds } from '../../../kit/run/tiers.ts';
import { firstMoment, openScheduleRig } from './kill-rig.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

/** Catching up after kills; test/system/kills kills more often. */
const seeds = rounds({ all: 6, soak: 200 });
const sideBySide = 2;
/** Number of kills per seed: starting a process takes most of the time. */
const livesOf = (seed: number): number => (seed % 5 === 0 ? 2 : 1);
/** For how long a run between effect and end takes, where the kill waits for one: it doesn't end before. */
const endless = 1e9;
const timezone = 'Europe/Berlin';
/** All clocks stop here, and the last process begins here. */
const end = firstMoment + 3 * 3_600_000;
const cache = mkdtempSync(join(tmpdir(), 'pegboard-cache-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

test(
  `killed with SIGKILL at random moments, ${seeds} times over, no occurrence runs twice and none is lost`,
  { timeout: seeds * 60_000 },
  async () => {
    let killedInRun = 0;
    const next = Array.from({ length: seeds }, (_, seed) => seed + 1).values();
    const worker = async (): Promise<void> => {
      for (const seed of next) {
        const uncertain = await soak(seed, { inRun: seed % 3 === 0 });
        killedInRun += uncertain;
      }
    };
    await Promise.all(Array.from({ length: sideBySide }, worker));
    expect(killedInRun, 'some were killed between claim and end').toBeGreaterThan(0);
  },
);

/** Returns how many runs were interrupted. `inRun`: the kill waits until an occurrence is running. */
async function soak(seed: number, { inRun }: { readonly inRun: boolean }): Promise<number> {
  const random = randomFrom(seed);
  await using home = await createHome();
  const began = Date.now();
  const errors: string[] = [];
  const last = openScheduleRig(home.path, -Infinity, {
    failed: (text) => errors.push(text),
    longestRunMs: 3,
    until: end,
  });
  await using database = last.database;
  const common = {
    kind: 'instruction',
    timezone,
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
  } as const;
  const add = (cron: string | null, run_at: string | null, catch_up: 'all' | 'run_once' | 'skip') =>
    last.store.add({ ...common, text: catch_up, cron, run_at, catch_up });
  const everyOne = await add('*/7 * * * *', null, 'all');
  await add('*/2 * * * *', null, 'run_once');
  await add('*/3 * * * *', null, 'skip');
  const once = await Promise.all(
    [20, 60, 200].map((minutes) =>
      add(null, toIso(firstMoment + minutes * 60_000 * (0.5 + random())), 'run_once'),
    ),
  );

  const countIn = (file: string): number => linesOf(join(home.path, file)).length;
  for (let life = 0; life < livesOf(seed); life++) {
    const args = [home.path, began, end, inRun ? endless : 100].map(String);
    const moment = async (): Promise<void> => {
      // Something has taken effect, and has not ended: a claimed run may still wait in the queue.
      if (inRun) await waitUntil(() => countIn('effects') > countIn('ended') + life);
      else await delay(random() * 120);
    };
    errors.push(...(await killOnce(args, moment)));
  }

  const scheduler = await last.start();
  /** What is left to do. */
  const left = async (): Promise<readonly object[]> => {
    const runs = await last.store.runs(undefined, 100_000);
    return [
      ...runs.filter(({ state, delivery }) => state === 'running' || delivery === 'pending'),
      // Seven minutes of the soak test, in which even the slowest schedule runs.
      ...(await last.store.list('active')).filter(
        (one) => Date.parse(one.handled_until) <= end - 7 * 60_000 && (one.run_at ?? '') <= toIso(end),
      ),
    ];
  };
  await waitUntil(left, ({ length }) => length === 0);
  await scheduler[Symbol.asyncDispose]();

  const runs = await last.store.runs(undefined, 100_000);
  const effects = linesOf(join(home.path, 'effects'));
  const delivered = linesOf(join(home.path, 'delivered'));
  const what = `seed ${seed}`;
  expect(errors, what).toEqual([]);
  expect(new Set(effects).size, `${what}: nothing runs twice`).toBe(effects.length);
  const keyOf = (run: (typeof runs)[number]): string => `${run.schedule_id} ${run.due_at}`;
  for (const run of runs) {
    const ran = effects.includes(keyOf(run));
    if (run.state === 'done') expect(ran, `${what}: ${keyOf(run)} is done`).toBe(true);
    if (run.state === 'skipped') expect(ran, `${what}: ${keyOf(run)} is skipped`).toBe(false);
  }
  expect(
    effects.filter((effect) => !runs.some((run) => keyOf(run) === effect)),
    what,
  ).toEqual([]);

  const timing = ruleTiming('*/7 * * * *', timezone);
  const due: string[] = [];
  for (let at = timing.after(firstMoment)!; at <= end - 7 * 60_000; at = timing.after(at)!)
    due.push(toIso(at));
  const claimed = new Set(runs.filter((run) => run.schedule_id === everyOne).map((run) => run.due_at));
  expect(
    due.filter((at) => !claimed.has(at)),
    `${what}: none is lost`,
  ).toEqual([]);
  const oneShots = runs.filter((run) => once.includes(run.schedule_id) && Date.parse(run.due_at) <= end);
  expect(new Set(oneShots.map((run) => run.schedule_id)).size, what).toBe(oneShots.length);

  const uncertain = runs.filter(({ state }) => state === 'uncertain');
  for (const run of uncertain)
    expect(
      delivered.some((line) => line.includes(`schedule ${run.schedule_id} `) && line.includes('uncertain')),
      `${what}: ${keyOf(run)} is told of`,
    ).toBe(true);
  // What ended while the scheduler was stopped is left to the next one.
  for (const run of runs.filter(({ state, delivery }) => state === 'done' && delivery !== 'pending'))
    expect(delivered, `${what}: the reply of ${keyOf(run)} is sent`).toContain(keyOf(run));
  if (isOnPostgres) return uncertain.length;
  const open = await database.open();
  const { sql } = await import('kysely');
  const check = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(open);
  expect(check.rows, what).toEqual([{ integrity_check: 'ok' }]);
  return uncertain.length;
}

/** Returns what it complained about. */
async function killOnce(args: readonly string[], moment: () => Promise<void>): Promise<string[]> {
  const child = fork(join(import.meta.dirname, 'kill-child.ts'), args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    execArgv: [],
  });
  let complaints = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const ended = once(child, 'close');
  await Promise.race([once(child, 'message'), ended]);
  // The moment of the kill is what is tested: it comes from the seed.
  await moment();
  child.kill('SIGKILL');
  await ended;
  return complaints === '' ? [] : [complaints];
}

const linesOf = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
