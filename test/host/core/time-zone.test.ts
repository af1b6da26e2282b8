import { expect, test } from 'vitest';
import { localTimeZone } from '../../../host/core/time-zone.ts';

test("the machine's time zone is the one that dates are shown in, whether a variable sets it or not", () => {
  const shown = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // A zone may have several names: what counts is its local time.
  const at = (timeZone: string) => new Date(2026, 6, 1, 12).toLocaleString('en', { timeZone });
  expect(at(localTimeZone({}))).toBe(at(shown));
  expect(localTimeZone({ TZ: 'whatever the process was started with' })).toBe(shown);
});
