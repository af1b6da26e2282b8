import { expect, test } from 'vitest';
import { createBackoff } from '../../../../../host/sources/mcp/connection/backoff.ts';

const longest = () => 1;
const minute = 60_000;

test('what was healthy is tried again at once, and each further failure waits twice as long', () => {
  const backoff = createBackoff(longest);
  expect(backoff.ended(0, minute)).toBe(0);
  expect(backoff.failed(1)).toBe(500);
  expect(backoff.failed(2)).toBe(1_000);
});

test('waits are spread, so that many servers that failed together do not come back together', () => {
  expect(createBackoff(() => 0).failed(0)).toBe(125);
  expect(createBackoff(longest).failed(0)).toBe(250);
});

test('five failures within a minute open the circuit for 30 s, then one attempt decides', () => {
  const backoff = createBackoff(longest);
  for (let at = 0; at < 4; at++) backoff.failed(at);
  expect(backoff.openUntil(4)).toBeUndefined();
  expect(backoff.failed(4)).toBe(30_000);
  expect(backoff.openUntil(5)).toBe(30_004);
  expect(backoff.openUntil(30_004)).toBeUndefined();
  expect(backoff.failed(30_010)).toBe(60_000);
  expect(backoff.openUntil(90_000)).toBe(90_010);
});

test('five failures over a longer time do not', () => {
  const backoff = createBackoff(longest);
  for (let i = 0; i < 8; i++) backoff.failed(i * minute);
  expect(backoff.openUntil(8 * minute)).toBeUndefined();
});

test('a connection that held ends the series; one that ended at once is part of it', () => {
  const backoff = createBackoff(longest);
  backoff.failed(0);
  backoff.failed(1);
  expect(backoff.ended(2, 100)).toBe(500);
  expect(backoff.ended(3, minute)).toBe(0);
});

test('the circuit stays open for five minutes at most', () => {
  const backoff = createBackoff(longest);
  let at = 0;
  for (let i = 0; i < 12; i++) at = (backoff.openUntil(at) ?? at) + backoff.failed(at) * 0 + 1;
  expect(backoff.openUntil(at)! - at).toBeLessThanOrEqual(5 * minute);
});

test('what was tried by itself waits longer each time, and never opens the circuit', () => {
  const backoff = createBackoff(longest);
  const waits = Array.from({ length: 8 }, (_, at) => backoff.failed(at, true));
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]);
  expect(backoff.openUntil(8)).toBeUndefined();
});
