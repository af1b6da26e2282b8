import { expect, test } from 'vitest';
import { whereToCatchUp } from '../../../../plugins/builtin-discord/gateway/session.ts';

const now = Date.parse('2026-11-27T12:00:00Z');
/** An id of that time, as Discord makes them. */
const idAt = (time: string): string => String(BigInt(Date.parse(time) - 1_420_070_400_000) << 22n);

test.each([
  ['a bot that has never run', undefined, idAt('2026-11-26T12:00:00Z')],
  [
    'a short absence, during which messages may overtake each other',
    idAt('2026-11-27T11:00:00Z'),
    idAt('2026-11-27T10:59:00Z'),
  ],
  // What came before it was answered, and is not known any more.
  ['a long absence', idAt('2026-11-20T11:00:00Z'), idAt('2026-11-20T11:00:00Z')],
])('after %s, messages are fetched from where they may have been missed', (_what, seen, after) => {
  expect(whereToCatchUp(seen, now)).toBe(after);
});
