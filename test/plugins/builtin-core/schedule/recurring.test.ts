import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { showMoment } from '../../../../plugins/builtin-core/schedule/moment.ts';
import { readWhen } from '../../../../plugins/builtin-core/schedule/read-when.ts';
import { suggestTime } from '../../../../plugins/builtin-core/schedule/suggest-time.ts';
import { ruleTiming } from '../../../../plugins/builtin-core/schedule/timing.ts';
import { recurring, refused } from './recurring.ts';

const zone = 'Europe/Berlin';
const now = Date.parse('2026-05-06T10:15:00+02:00');

const ruleOf = async (text: string): Promise<string> => {
  const when = await readWhen(text, zone, now);
  if (!('cron' in when)) throw new Error(`${text} was taken for a moment`);
  return when.cron;
};

function next(rule: string, count = 3): readonly number[] {
  const timing = ruleTiming(rule, zone);
  const times: number[] = [];
  for (let at = timing.after(now); at !== undefined && times.length < count; at = timing.after(at))
    times.push(at);
  return times;
}

test.for(recurring)('%s is scheduled by %s', async ([text, rule, times]) => {
  expect(await ruleOf(text)).toBe(rule);
  const shown = next(rule).map((at) => showMoment(at, zone).replace(' 2026', ''));
  expect(shown.join(' | ')).toBe(times);
});

test.for(refused)('%s is refused, and the nearest that can be had is named', async ([text, why]) => {
  await expect(ruleOf(text)).rejects.toThrow(`"${text}" can't be scheduled: ${why}`);
});

test.for(recurring)('%s gives the same going back as going forward', async ([, rule]) => {
  const timing = ruleTiming(rule, zone);
  const forward = next(rule, 6);
  const back = [timing.upTo(forward.at(-1)!)!];
  while (back.length < forward.length) back.unshift(timing.upTo(back[0]! - 1)!);
  expect(back).toEqual(forward);
  expect(timing.count(now, forward.at(-1)!)).toBe(forward.length);
});

test.for(['biweekly', 'bi-weekly', 'triweekly', 'midmonthly', 'every biweek', 'semihourly', 'undaily'])(
  '%s is never taken for the shorter word in it',
  async (text) => {
    expect(await suggestTime(text, now)).toBeUndefined();
    await expect(ruleOf(text)).rejects.toThrow();
  },
);

test('an interval of days keeps its time of day when clocks change, one of minutes follows real time', () => {
  const at = (moment: number): string => new Date(moment).toISOString().slice(0, 16);
  const before = Date.parse('2026-10-23T00:00Z');
  const days = ruleTiming('R/2026-10-23T09:00/P2D', zone);
  const second = days.after(days.after(before)!)!;
  expect(at(second)).toBe('2026-10-25T08:00');
  const minutes = ruleTiming('R/2026-10-25T01:30/PT45M', zone);
  const first = minutes.after(before)!;
  expect([first, minutes.after(first)!, minutes.after(first + 45 * 60_000)!].map(at)).toEqual([
    '2026-10-24T23:30',
    '2026-10-25T00:15',
    '2026-10-25T01:00',
  ]);
});

test.for(['R/2026-02-30T09:00/P1D', 'R/2026-05-06T09:00/P0D', 'R5/2026-05-06T09:00/P1D', '0 9 * * 1; R/x'])(
  '%s is no rule',
  (rule) => {
    expect(() => ruleTiming(rule, zone)).toThrow('R/2026-05-12T09:00/P2W');
  },
);

test('pegboard schedule takes them, lists them in words, and reads its own times again', async () => {
  await using home = await createHome();
  const at = { home: home.path };
  const added = await pegboardJson<{ cron: string }>(
    ['schedule', 'add', 'every second tuesday at 9', 'Water the plants'],
    at,
  );
  expect(added.cron).toMatch(/^R\/\d{4}-\d\d-\d\dT09:00\/P2W$/);
  const twice = await pegboard(['schedule', 'add', 'weekdays at 9 and weekends at 11', 'x'], at);
  expect(twice.stdout).toContain('0 9 * * 1-5; 0 11 * * 6,0, next');
  const list = await pegboard(['schedule', 'list'], at);
  expect(list.stdout).toMatch(/Schedule 1: every 2 weeks \(R\/\S+\/P2W\), next Tue, .* 09:00/);
  const own = await pegboard(['schedule', 'add', 'Thursday, December 24, 2099 at 6:00 PM (UTC)', 'x'], at);
  expect(own.stdout).toContain('Thu, 24 Dec 2099, 18:00');
  const wrong = await pegboard(['schedule', 'add', 'biweekly', 'x'], at);
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain('Write "every 2 weeks"');
});
