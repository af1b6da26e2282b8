import { expect, test } from 'vitest';
import { continued, toPrior } from '../../../../../host/sources/mcp/transport/era.ts';

const day = 24 * 60 * 60 * 1000;
const legacy = (learnedAt: number) => ({ kind: 'legacy', learnedAt }) as const;

test('an old server is asked again after a week whether it is still one, however often it was used', () => {
  const now = Date.now();
  expect(toPrior(legacy(now - 6 * day))).toEqual({ kind: 'legacy' });
  expect(toPrior(legacy(now - 8 * day))).toBeUndefined();
  expect(toPrior(undefined)).toBeUndefined();
  expect(continued(legacy(now - 6 * day), legacy(now))).toEqual(legacy(now - 6 * day));
  expect(continued(legacy(now - 8 * day), legacy(now))).toEqual(legacy(now));
  expect(continued(undefined, legacy(now))).toEqual(legacy(now));
});
