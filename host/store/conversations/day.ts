import { PegboardError } from '../../core/errors.ts';

/** Returns the day of a moment in a time zone, as YYYY-MM-DD. */
export type DayOf = (moment: Date) => string;

/** Without a time zone, uses this machine's. Throws PEG_CONFIG for one that doesn't exist. */
export function createDayOf(timeZone?: string): DayOf {
  if (!timeZone) return localDay;
  try {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    return (moment) => format.format(moment);
  } catch (cause) {
    throw new PegboardError(
      'PEG_CONFIG',
      `"${timeZone}" is not a time zone. Write it like "Europe/Berlin", in TIMEZONE or in pegboard.yaml.`,
      { cause },
    );
  }
}

function localDay(moment: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** The day `days` before `day`. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}
