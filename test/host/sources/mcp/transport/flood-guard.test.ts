import { expect, test } from 'vitest';
import { createFloodGuard } from '../../../../../host/sources/mcp/transport/flood-guard.ts';

/** Feeds `perSecond` notifications a second for `seconds`; returns what got through and what was reported. */
function feed(perSecond: number, seconds: number) {
  let time = 0;
  let passed = 0;
  const reports: boolean[] = [];
  const guard = createFloodGuard(
    (persistent) => reports.push(persistent),
    () => time,
  );
  for (let i = 0; i < perSecond * seconds; i++) {
    time = (i * 1_000) / perSecond;
    if (!guard.isOver()) passed++;
  }
  return { passed, reports };
}

test('a busy server is let through whole', () => {
  expect(feed(900, 5)).toEqual({ passed: 4_500, reports: [] });
});

test('of a flood a thousand a second get through, and it is reported', () => {
  const { passed, reports } = feed(50_000, 3);
  expect(passed).toBeLessThanOrEqual(3_000);
  expect(reports).toEqual([false, false, false]);
});

test('a flood that lasts more than ten seconds is to be cut off', () => {
  const { reports } = feed(20_000, 12);
  expect(reports.indexOf(true)).toBe(10);
});
