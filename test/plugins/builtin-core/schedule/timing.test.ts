import { describe, expect, test } from 'vitest';
import { readMoment } from '../../../../plugins/builtin-core/schedule/moment.ts';
import { nextOccurrence } from '../../../../plugins/builtin-core/schedule/plan.ts';
import { ruleTiming, onceTiming } from '../../../../plugins/builtin-core/schedule/timing.ts';
import { likeness } from '../../../../plugins/builtin-core/schedule/duplicates.ts';

const iso = (moment: number | undefined): string | undefined =>
  moment === undefined ? undefined : new Date(moment).toISOString().replace('.000Z', 'Z');

function series(expression: string, from: string, to: string, timezone = 'Europe/Berlin'): string[] {
  const timing = ruleTiming(expression, timezone);
  const found: string[] = [];
  for (
    let at = timing.after(Date.parse(from));
    at !== undefined && at <= Date.parse(to);
    at = timing.after(at)
  )
    found.push(iso(at)!);
  return found;
}

describe('a cron expression', () => {
  test('whose time of day the clocks leave out in spring is due right after the gap, once', () => {
    expect(series('30 2 * * *', '2026-03-28T00:00Z', '2026-03-30T12:00Z')).toEqual([
      '2026-03-28T01:30:00Z',
      '2026-03-29T01:00:00Z',
      '2026-03-30T00:30:00Z',
    ]);
    expect(series('30 2,14 * * *', '2026-03-29T00:00Z', '2026-03-29T23:00Z')).toEqual([
      '2026-03-29T01:00:00Z',
      '2026-03-29T12:30:00Z',
    ]);
  });

  test('whose time of day comes twice in autumn is due the first time only', () => {
    expect(series('30 2 * * *', '2026-10-24T12:00Z', '2026-10-26T12:00Z')).toEqual([
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ]);
  });

  test('that repeats by the hour goes by real time on both days', () => {
    expect(series('0 * * * *', '2026-03-28T23:30Z', '2026-03-29T03:00Z')).toHaveLength(4);
    expect(series('0 * * * *', '2026-10-24T22:30Z', '2026-10-25T03:00Z')).toEqual([
      '2026-10-24T23:00:00Z',
      '2026-10-25T00:00:00Z',
      '2026-10-25T01:00:00Z',
      '2026-10-25T02:00:00Z',
      '2026-10-25T03:00:00Z',
    ]);
  });

  test('gives the same going back as going forward', () => {
    for (const [expression, from, to] of [
      ['30 2 * * *', '2026-10-20T00:00Z', '2026-10-30T00:00Z'],
      ['*/20 * * * *', '2026-03-28T22:00Z', '2026-03-29T04:00Z'],
    ] as const) {
      const timing = ruleTiming(expression, 'Europe/Berlin');
      const forward = series(expression, from, to);
      const back: string[] = [];
      for (let at = timing.upTo(Date.parse(to))!; at > Date.parse(from); at = timing.upTo(at - 1)!)
        back.unshift(iso(at)!);
      expect(back).toEqual(forward);
      expect(timing.count(Date.parse(from), Date.parse(to))).toBe(forward.length);
    }
  });

  test.for([
    ['61 * * * *', 'Invalid value for minute'],
    ['* * *', 'five'],
    ['0 0 31 2 *', 'never happens'],
    ['2026-01-01T00:00:00', 'run_at'],
  ] as const)('%s is refused, saying why', ([expression, reason]) => {
    expect(() => ruleTiming(expression, 'UTC')).toThrow(reason);
  });

  test('in a time zone that does not exist is refused', () => {
    expect(() => ruleTiming('0 9 * * *', 'Mars/Olympus')).toThrow('not a time zone');
  });
});

describe('a moment', () => {
  const now = Date.parse('2026-05-01T10:00:00Z');
  const read = async (text: string, timezone = 'Europe/Berlin'): Promise<string | undefined> =>
    iso((await readMoment(text, timezone, now)).at);

  test.for([
    ['2026-05-01T09:00', '2026-05-01T07:00:00Z'],
    ['2026-12-01 09:00:30', '2026-12-01T08:00:30Z'],
    ['2026-05-02', '2026-05-02T10:00:00Z'],
    ['2026-05-01T09:00:00+05:30', '2026-05-01T03:30:00Z'],
    ['2026-05-01T09:00:00Z', '2026-05-01T09:00:00Z'],
    ['in 20 minutes', '2026-05-01T10:20:00Z'],
    ['2h', '2026-05-01T12:00:00Z'],
    ['90 sec', '2026-05-01T10:01:30Z'],
    ['in half an hour', '2026-05-01T10:30:00Z'],
    ['in 1 hour 30 minutes', '2026-05-01T11:30:00Z'],
    ['in 3 days', '2026-05-04T10:00:00Z'],
    ['in 2 months', '2026-07-01T10:00:00Z'],
    ['2 years', '2028-05-01T10:00:00Z'],
    ['tomorrow at 9', '2026-05-02T07:00:00Z'],
    ['friday 6pm', '2026-05-01T16:00:00Z'],
    ['the day after tomorrow', '2026-05-03T10:00:00Z'],
    ['25 December at 8:30', '2026-12-25T07:30:00Z'],
    ['at 7am EST', '2026-05-01T12:00:00Z'],
    ['in 2 Monaten', '2026-07-01T10:00:00Z'],
    ['demain à 9h', '2026-05-02T07:00:00Z'],
    ['明日9時', '2026-05-02T00:00:00Z', 'Asia/Tokyo'],
    // The clocks go back on 25 October: daily schedules keep their time of day, intervals their length.
    ['in 6 months', '2026-11-01T11:00:00Z'],
    ['in 4400 hours', '2026-10-31T18:00:00Z'],
  ] as const)('%s is %s', async ([text, expected, timezone]) => {
    expect(await read(text, timezone)).toBe(expected);
  });

  test('that the clocks leave out is right after the gap; one that comes twice is the first', async () => {
    expect(await read('2026-03-29T02:30')).toBe('2026-03-29T01:00:00Z');
    expect(await read('2026-10-25T02:30')).toBe('2026-10-25T00:30:00Z');
    expect(await read('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00Z');
    expect(await read('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:00:00Z');
    expect(await read('2026-04-05T01:45', 'Australia/Lord_Howe')).toBe('2026-04-04T14:45:00Z');
  });

  test.for([
    '2026-02-30T09:00',
    '2026-05-01T25:00',
    '',
    '9',
    'in 2 decades',
    'in 2 minuts',
    'in 2 mice',
    'in 2 months or so',
    'every day',
    'tomorrow at 9, and on friday',
    'in -2 minutes',
    '5/6 at 9',
  ])('"%s" is refused', async (text) => {
    await expect(read(text)).rejects.toThrow("can't be read as a date and time");
  });
});

describe('what is due next', () => {
  const at = (time: string): number => Date.parse(`2026-05-01T${time}Z`);
  const hourly = ruleTiming('0 * * * *', 'UTC');
  const plan = (catchUp: 'run_once' | 'skip' | 'all', handledUntil: string, now: string) => {
    const next = nextOccurrence(hourly, { handledUntil: at(handledUntil), now: at(now), catchUp });
    return next && { ...next, due: iso(next.due)!.slice(11, 16) };
  };

  test('is nothing before its time', () => {
    for (const catchUp of ['run_once', 'skip', 'all'] as const)
      expect(plan(catchUp, '09:00', '09:59:59')).toBeUndefined();
  });

  test('runs when it is on time, whatever the policy', () => {
    for (const catchUp of ['run_once', 'skip', 'all'] as const)
      expect(plan(catchUp, '09:00', '10:00:30')).toEqual({ due: '10:00', runs: true, missed: 0 });
  });

  test('after three missed ones is one late run, none, or the first of three', () => {
    expect(plan('run_once', '09:00', '12:30')).toEqual({ due: '12:00', runs: true, missed: 2 });
    expect(plan('skip', '09:00', '12:30')).toEqual({ due: '12:00', runs: false, missed: 2 });
    expect(plan('all', '09:00', '12:30')).toEqual({ due: '10:00', runs: true, missed: 0 });
  });

  test('of a single moment that has passed follows the policy too', () => {
    const once = onceTiming(at('10:00'));
    const late = (catchUp: 'run_once' | 'skip' | 'all') =>
      nextOccurrence(once, { handledUntil: at('09:00'), now: at('12:00'), catchUp })?.runs;
    expect([late('run_once'), late('skip'), late('all')]).toEqual([true, false, true]);
  });
});

test('likeness is 1 − distance ÷ length', () => {
  expect(likeness('kitten', 'sitting')).toBeCloseTo(1 - 3 / 7);
  expect(likeness('same', 'same')).toBe(1);
  expect(likeness('', 'abc')).toBe(0);
  expect(likeness('', '')).toBe(1);
});
