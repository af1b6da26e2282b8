import { expect, test } from 'vitest';
import { killRepeatedly } from '../../kit/kills/lives.ts';

test('killed right after its fifth and after its thirtieth action, a process has lost none of them', async () => {
  const tally = await killRepeatedly([5, 30].map((actions, seed) => ({ seed: seed + 1, actions, later: 0 })));
  expect(tally.violations).toEqual([]);
  expect(tally.kills).toBe(2);
  expect(tally.acknowledged).toBeGreaterThanOrEqual(35);
});
