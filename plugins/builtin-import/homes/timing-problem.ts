import { Cron } from 'croner';

/** Why nothing can be due then: as the end of a sentence. Undefined: it can. `when`: a cron expression or an ISO moment. */
export function timingProblem(
  when: string,
  timezone: string | undefined,
  now = new Date(),
): string | undefined {
  if (timezone !== undefined && !isTimezone(timezone)) return `there is no time zone "${timezone}"`;
  if (/^\d{4}-/.test(when)) return new Date(when) < now ? `its time has passed (${when})` : undefined;
  try {
    return new Cron(when, { paused: true }).nextRun() === null ? `"${when}" is never due` : undefined;
  } catch {
    return `"${when}" is not a valid cron expression`;
  }
}

function isTimezone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name }).format();
    return true;
  } catch {
    return false;
  }
}
