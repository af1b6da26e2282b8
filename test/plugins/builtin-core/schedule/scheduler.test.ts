import { describe, expect, test } from 'vitest';
import { PegboardError } from '../../../../host/core/errors.ts';
import { openRig } from './rig.ts';

const minutes = 60_000;
const hours = 60 * minutes;

describe('the scheduler', () => {
  test('runs each occurrence once and on time, and sends the reply to the chat', async () => {
    await using rig = await openRig('2026-05-01T08:58:10Z');
    await rig.add({ text: 'Water the plants', cron: '0 9 * * *' });
    await rig.start();
    await rig.clock.pass(110_000);
    expect(await rig.runs()).toEqual(['2026-05-01T09:00:00Z done']);
    await rig.clock.pass(10 * minutes);
    expect(rig.asked).toHaveLength(1);
    expect(rig.asked[0]).toMatchObject({
      source: 'schedule',
      externalId: 'telegram/7',
      text: expect.stringContaining('Water the plants'),
    });
    expect(rig.asked[0]?.agent).toBeUndefined();
    expect(rig.delivered).toEqual(['telegram/7: done']);
    expect(Math.max(...rig.clock.sleeps), 'never sleeps longer').toBeLessThanOrEqual(30_000);
  });

  test('runs a single moment once, and a plain reminder without any model', async () => {
    await using rig = await openRig('2026-05-01T08:00:00Z');
    await rig.add({ kind: 'message', text: 'Take the bread out', runAt: 'in 40 minutes' });
    await rig.start();
    await rig.clock.pass(2 * hours);
    expect(rig.asked).toEqual([]);
    expect(rig.delivered).toEqual(['telegram/7: Take the bread out']);
    expect(await rig.store.list('active')).toEqual([]);
  });

  test('leaves a paused schedule alone, and skips what was due in between when it is resumed', async () => {
    await using rig = await openRig('2026-05-01T08:30:00Z');
    const kept = await rig.add({ text: 'Water the plants', cron: '0 * * * *' });
    const once = await rig.add({ text: 'Call Ada', runAt: 'in 40 minutes', paused: true });
    await rig.start();
    await rig.clock.pass(hours);
    expect(await rig.store.pause(kept, new Date(rig.clock.now()).toISOString())).toBe(true);
    await rig.clock.pass(3 * hours);
    expect(await rig.store.resume(kept, new Date(rig.clock.now()).toISOString())).toBe(true);
    expect(await rig.store.resume(kept, new Date(rig.clock.now()).toISOString())).toBe(false);
    await rig.clock.pass(hours);
    expect(await rig.runs()).toEqual(['2026-05-01T09:00:00Z done', '2026-05-01T13:00:00Z done']);
    expect((await rig.store.list('active')).map(({ id }) => id)).toEqual([kept, once]);
  });

  test('notices a schedule that another process makes within 30 seconds', async () => {
    await using rig = await openRig('2026-05-01T08:00:00Z');
    await rig.start();
    await rig.clock.pass(10_000);
    await rig.add({ text: 'now', runAt: 'in 1 second' });
    await rig.clock.pass(30_000);
    expect(await rig.runs()).toEqual(['2026-05-01T08:00:11Z done']);
  });

  test.for([
    ['2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z', 5],
    ['2026-10-24T23:30:00Z', '2026-10-25T00:30:00Z', 8],
  ] as const)(
    'over a change of clocks (%s) runs a daily schedule once, and an hourly one every real hour',
    async ([start, daily, halfHours]) => {
      await using rig = await openRig(start);
      const id = await rig.add({ text: 'daily', cron: '30 2 * * *', timezone: 'Europe/Berlin' });
      await rig.add({ text: 'often', cron: '*/30 * * * *', timezone: 'Europe/Berlin' });
      await rig.start();
      await rig.clock.pass((halfHours * hours) / 2 + 1_000);
      const runs = await rig.store.runs(id, 10);
      expect(runs.map(({ due_at: due }) => due.replace('.000Z', 'Z'))).toEqual([daily]);
      expect(rig.asked).toHaveLength(halfHours + 1);
    },
  );

  test('runs once more when somebody asks, and its plan stays as it is', async () => {
    await using rig = await openRig('2026-05-01T08:30:00Z');
    const id = await rig.add({ text: 'hourly', cron: '0 * * * *' });
    const once = await rig.add({ text: 'once', runAt: '2026-05-01T09:30:00Z' });
    await rig.start();
    await rig.clock.pass(1_000);
    expect(await rig.store.askToRun(id, new Date(rig.clock.now()).toISOString())).toBe(true);
    await rig.clock.pass(40_000);
    expect(await rig.runs()).toEqual(['2026-05-01T08:30:01Z done']);
    await rig.clock.pass(1 * hours);
    expect(await rig.runs()).toEqual([
      '2026-05-01T08:30:01Z done',
      '2026-05-01T09:00:00Z done',
      '2026-05-01T09:30:00Z done',
    ]);
    expect(await rig.store.askToRun(once, new Date(rig.clock.now()).toISOString())).toBe(false);
  });

  test('does not repeat past runs when the clock is set back, and continues from there', async () => {
    await using rig = await openRig('2026-05-01T08:59:50Z');
    await rig.add({ text: 'hourly', cron: '0 * * * *' });
    await rig.start();
    await rig.clock.pass(30_000);
    await rig.clock.jump(-2 * hours);
    await rig.clock.pass(2 * hours);
    await rig.clock.pass(1 * hours);
    expect((await rig.runs()).toSorted()).toEqual([
      '2026-05-01T08:00:00Z done',
      '2026-05-01T09:00:00Z done',
      '2026-05-01T10:00:00Z done',
    ]);
  });

  test('a running run is not given up when the clock jumps by days', async () => {
    await using rig = await openRig('2020-05-01T09:59:50Z');
    await rig.add({ text: 'long', runAt: 'in 10 seconds' });
    const answer = Promise.withResolvers<{ text: string }>();
    rig.answer = () => answer.promise;
    await rig.start();
    await rig.clock.pass(30_000);
    await rig.clock.jump(3 * 24 * hours);
    expect(await rig.runs()).toEqual(['2020-05-01T10:00:00Z running']);
    answer.resolve({ text: 'done after all' });
    await rig.clock.idle();
    expect(await rig.runs()).toEqual(['2020-05-01T10:00:00Z done']);
  });

  test.for([
    ['run_once', ['2026-05-01T12:00:00Z done']],
    ['skip', ['2026-05-01T12:00:00Z skipped']],
    ['all', ['2026-05-01T10:00:00Z done', '2026-05-01T11:00:00Z done', '2026-05-01T12:00:00Z done']],
  ] as const)('after the machine slept, catches up as the schedule says: %s', async ([catchUp, expected]) => {
    await using rig = await openRig('2026-05-01T09:30:00Z');
    await rig.add({ text: 'hourly', cron: '0 * * * *', catchUp });
    await rig.start();
    await rig.clock.pass(1_000);
    await rig.clock.jump(3 * hours);
    expect(await rig.runs()).toEqual(expected);
    await rig.clock.pass(30 * minutes);
    expect((await rig.runs()).at(-1)).toBe('2026-05-01T13:00:00Z done');
  });

  test('makes up for a single moment that passed while nothing ran', async () => {
    await using rig = await openRig('2026-05-01T09:30:00Z');
    await rig.add({ text: 'late', runAt: 'in 10 minutes' });
    await rig.add({ text: 'never', runAt: 'in 10 minutes', catchUp: 'skip' });
    rig.clock.set(5 * hours);
    await rig.start();
    await rig.clock.idle();
    expect(rig.asked.map(({ text }) => text.split('\n').at(-1))).toEqual(['late']);
    expect(await rig.store.list('active')).toEqual([]);
  });

  test('of two on one home, one runs each occurrence', async () => {
    await using rig = await openRig('2026-05-01T08:59:00Z');
    await rig.add({ text: 'often', cron: '*/10 * * * * *' });
    await rig.start();
    await rig.start(rig.clock.second());
    await rig.clock.pass(2 * minutes);
    expect(new Set(await rig.runs()).size).toBe((await rig.runs()).length);
    expect(rig.asked).toHaveLength((await rig.runs()).length);
  });

  test.for([
    ['goes on with what a process left behind when it died', 'done', /^telegram\/7: done$/, false],
    ['does not repeat what had begun when it died, and tells', 'uncertain', /Pay the rent.*uncertain/s, true],
  ] as const)('%s', async ([, state, told, hadBegun]) => {
    await using rig = await openRig('2026-05-01T09:00:30Z');
    const id = await rig.add({ text: 'Pay the rent', cron: '0 9 * * *' });
    const schedule = (await rig.store.find(id))!;
    const due = Date.parse('2026-05-01T09:00:00Z');
    const run = await rig.claims.claim(schedule, { due, runs: true, missed: 0 }, rig.clock.now());
    await rig.orphan(run!);
    if (hadBegun) rig.answer = () => Promise.reject(new PegboardError('PEG_UNCERTAIN', 'it had begun'));
    await rig.start();
    await expect.poll(() => rig.runs()).toEqual([`2026-05-01T09:00:00Z ${state}`]);
    await expect.poll(() => rig.delivered).toEqual([expect.stringMatching(told)]);
    expect(rig.asked.map(({ key }) => key)).toEqual([`schedule/run/${run}`]);
    await expect
      .poll(() => rig.noted)
      .toEqual([expect.stringMatching(/^telegram\/7: \[Sent by schedule 1\]\n/)]);
  });

  test('keeps a reply that can not be delivered, and says so at the terminal', async () => {
    await using rig = await openRig('2026-05-01T08:59:50Z');
    await rig.add({ text: 'daily', cron: '0 9 * * *' });
    const deliver = rig.deliver;
    rig.deliver = async (to, ...rest) => {
      if (to.channel === 'telegram') throw new PegboardError('PEG_SERVER_UNAVAILABLE', 'Telegram is away.');
      await deliver(to, ...rest);
    };
    await rig.start();
    await rig.clock.pass(1 * minutes);
    const [run] = await rig.store.runs(undefined, 1);
    expect(run).toMatchObject({
      state: 'done',
      reply: 'done',
      delivery: 'failed',
      delivery_error: 'Telegram is away.',
    });
    expect(rig.delivered).toEqual([expect.stringMatching(/^terminal\/cli: .*could not be delivered.*done/s)]);
  });

  test('without a model still says what it was time for', async () => {
    await using rig = await openRig('2026-05-01T08:59:50Z');
    await rig.add({ text: 'Call the bank', cron: '0 9 * * *' });
    rig.answer = () => Promise.reject(new PegboardError('PEG_NO_MODEL', 'No model is connected.'));
    await rig.start();
    await rig.clock.pass(1 * minutes);
    expect(await rig.runs()).toEqual(['2026-05-01T09:00:00Z failed']);
    expect(rig.delivered).toEqual([expect.stringContaining('It is time: Call the bank')]);
  });

  test('that is stopped in the middle of a run leaves it to the next one', async () => {
    await using rig = await openRig('2026-05-01T08:59:50Z');
    await rig.add({ text: 'long', cron: '0 9 * * *' });
    const begun = Promise.withResolvers<void>();
    rig.answer = ({ suspend }) =>
      new Promise((_resolve, reject) => {
        suspend!.addEventListener('abort', () => reject(new PegboardError('PEG_CANCELLED', 'stopped')));
        begun.resolve();
      });
    const first = await rig.start();
    const passing = rig.clock.pass(20_000);
    await begun.promise;
    await passing;
    await first[Symbol.asyncDispose]();
    expect(rig.delivered).toEqual([]);
    rig.answer = async () => ({ text: 'done after all' });
    await rig.start();
    await rig.clock.idle();
    expect(await rig.runs()).toEqual(['2026-05-01T09:00:00Z done']);
    expect(rig.delivered).toEqual(['telegram/7: done after all']);
    expect(new Set(rig.asked.map(({ key }) => key)).size).toBe(1);
  });

  test('lets a run that takes long finish before the next of the same schedule', async () => {
    await using rig = await openRig('2026-05-01T08:59:50Z');
    await rig.add({ text: 'slow', cron: '* * * * *' });
    const ended = Promise.withResolvers<void>();
    rig.answer = async () => {
      await ended.promise;
      return { text: 'done' };
    };
    await rig.start();
    await rig.clock.pass(5 * minutes);
    expect(rig.asked).toHaveLength(1);
    ended.resolve();
    await rig.clock.idle();
    const runs = await rig.store.runs(undefined, 10);
    expect(runs.map(({ missed }) => missed)).toEqual([3, 0]);
  });

  test('forgets what ran more than 90 days ago, but for the last time that each schedule did', async () => {
    await using rig = await openRig('2026-05-01T08:59:50Z');
    await rig.add({ text: 'once', runAt: '2026-05-01T08:59:55Z' });
    await rig.add({ text: 'daily', cron: '0 9 * * *' });
    await rig.start();
    await rig.clock.pass(20_000);
    expect(await rig.runs()).toHaveLength(2);
    const day = 86_400_000;
    await rig.clock.jump(89 * day);
    await rig.clock.idle();
    await rig.clock.jump(2 * day);
    await rig.clock.idle();
    expect(await rig.runs()).toEqual([
      '2026-05-01T08:59:55Z done',
      '2026-07-29T09:00:00Z done',
      '2026-07-31T09:00:00Z done',
    ]);
  });
});
