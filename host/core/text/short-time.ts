/**
 * "2026-11-26 18:40".
 *
 * @param at - An ISO 8601 date and time.
 * @param timeZone - An IANA name; without it, the time zone of this machine.
 */
export const shortTime = (at: string, timeZone?: string): string =>
  new Date(at).toLocaleString('sv', { timeZone }).slice(0, 16);
