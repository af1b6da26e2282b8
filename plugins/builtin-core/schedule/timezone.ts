import { PegboardError } from 'pegboard';

/** Throws PEG_INVALID_ARGUMENTS for an unknown time zone. */
export function checkTimezone(timezone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw new PegboardError(
      'PEG_INVALID_ARGUMENTS',
      `"${timezone}" is not a time zone. Write it like "Europe/Berlin".`,
    );
  }
}

const dayMs = 86_400_000;

/**
 * The moment at which local clocks show `clocks`, given as if in UTC. An ambiguous time is the first of two. A skipped
 * time is the one right after the gap, as with cron expressions.
 */
export function atLocal(clocks: number, timezone: string): number {
  const before = clocks - offsetAt(clocks - dayMs, timezone);
  const after = clocks - offsetAt(clocks + dayMs, timezone);
  const fits = (moment: number): boolean => moment + offsetAt(moment, timezone) === clocks;
  const [earlier, later] = [Math.min(before, after), Math.max(before, after)];
  return [earlier, later].find(fits) ?? changeBetween(earlier, later, timezone);
}

/** The first moment after which clocks have the same offset as at `to`. */
function changeBetween(from: number, to: number, timezone: string): number {
  const offset = offsetAt(to, timezone);
  let [early, late] = [from, to];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (offsetAt(middle, timezone) === offset) late = middle;
    else early = middle;
  }
  return late;
}

/** Milliseconds by which local clocks are ahead of UTC. */
export function offsetAt(moment: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)!.value);
  const there = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return there - Math.floor(moment / 1_000) * 1_000;
}
