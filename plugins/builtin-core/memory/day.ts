/** Creating a formatter takes longer than the rest of a recall. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** "Mon, 8 May 2023" */
export function showDay(at: string, timezone: string): string {
  return formatter(timezone, 'short').format(new Date(at));
}

/** "Monday 8 May 2023": words that a question may contain. */
export function inWords(at: string): string {
  return formatter('UTC', 'long').format(new Date(at));
}

function formatter(timeZone: string, length: 'short' | 'long'): Intl.DateTimeFormat {
  const key = `${timeZone} ${length}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: length,
    day: 'numeric',
    month: length,
    year: 'numeric',
  });
  formatters.set(key, made);
  return made;
}
