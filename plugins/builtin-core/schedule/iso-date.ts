import type { PhraseDate, Refusal } from './words/read-phrase.ts';

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s?(?:(Z)|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?$/i;

/** ISO 8601, a date alone as noon of that day. Undefined for what is not written so. */
export function readIsoDate(text: string): PhraseDate | Refusal | undefined {
  const found = iso.exec(text);
  if (!found) return undefined;
  const [, year, month, date, hour, minute, second, fraction = '0', utc, sign, aheadHours, aheadMinutes] =
    found;
  const [hours, minutes, seconds] = [Number(hour ?? 12), Number(minute ?? 0), Number(second ?? 0)];
  const midnight = new Date(0);
  midnight.setUTCFullYear(Number(year), Number(month) - 1, Number(date));
  // 30 February becomes a day in March.
  if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(date))
    return { refused: 'that day does not exist' };
  if (hours > 23 || minutes > 59 || seconds > 59) return { refused: 'there is no such time of day' };
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1_000);
  const clocks = midnight.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + milliseconds;
  if (hour === undefined) return { clocks, assumed: 'noon' };
  if (utc === undefined && sign === undefined) return { clocks };
  const ahead = (Number(aheadHours ?? 0) * 60 + Number(aheadMinutes ?? 0)) * 60_000;
  return { moment: sign === '-' ? clocks + ahead : clocks - ahead };
}
