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
