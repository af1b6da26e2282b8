import type { ModelUsage } from '../../api/model.ts';
import { plural } from '../../core/text/plural.ts';

/** "850", "1.2k", "3.4M" */
export function shortNumber(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_950 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** "0.3 s", "12 s", "2 min 5 s", "3 h 12 min", "2 days 4 h" */
export function shortTime(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? `${hours} h ${minutes % 60} min`
    : `${plural(Math.floor(hours / 24), 'day')} ${hours % 24} h`;
}

/** US dollars, with as many digits as it takes to see something: "$0.0042", "$1.20" */
export function shortCost(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars >= 0.1) return `$${dollars.toFixed(2)}`;
  return `$${Number(dollars.toPrecision(2)).toFixed(Math.min(6, 1 - Math.floor(Math.log10(dollars))))}`;
}

/** The cost of a turn: "1.2k in, 300 out, $0.004, 3.1 s" */
export function usageLine({ input, output, cached = 0, cost }: ModelUsage, ms: number): string {
  const fromCache = cached > 0 ? ` (${shortNumber(cached)} cached)` : '';
  const tokens =
    input + output > 0 ? [`${shortNumber(input)} in${fromCache}`, `${shortNumber(output)} out`] : [];
  return [...tokens, ...(cost === undefined ? [] : [shortCost(cost)]), shortTime(ms)].join(', ');
}
