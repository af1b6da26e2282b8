import { expect, test } from 'vitest';
import { missedSince } from '../../../../plugins/builtin-channels/inbox/catch-up.ts';

test.each([
  ['an account that has never received anything', undefined, '2026-11-26T12:00:00.000Z'],
  [
    'a short absence, during which messages may overtake each other',
    '2026-11-27T11:00:00.000Z',
    '2026-11-27T10:59:00.000Z',
  ],
  // What came before it was answered, and is not known any more.
  ['a long absence', '2026-11-20T11:00:00.000Z', '2026-11-20T11:00:00.000Z'],
])('after %s, messages are fetched from when they may have been missed', (_what, seen, since) => {
  const now = Date.parse('2026-11-27T12:00:00Z');
  expect(missedSince(seen === undefined ? undefined : Date.parse(seen), now).toISOString()).toBe(since);
});
