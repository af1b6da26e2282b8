/** "12 ms", "3.4 s", "2 min 5 s". */
export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  if (ms < 86_400_000) return `${(ms / 3_600_000).toFixed(1)} h`;
  return `${(ms / 86_400_000).toFixed(1)} days`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** "14:03:27.125", in the time zone of this machine. */
export function clockTime(at: number): string {
  const date = new Date(at);
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
  return `${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`;
}

/** "14:03:27", with the day if it is another one. */
export function shortTime(at: number): string {
  const date = new Date(at);
  const time = clockTime(at).slice(0, 8);
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}
