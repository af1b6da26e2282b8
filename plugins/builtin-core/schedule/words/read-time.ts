import { months } from './language.ts';

export interface Time {
  readonly hour: number;
  readonly minute: number;
}

export const noon: Time = { hour: 12, minute: 0 };

/** The words with every spelled time of day as `9:30`: `half-past 9`, `at 9`, `9 oclock`, `quarter-to noon`. */
export function spellTimes(words: string): string {
  return words
    .replaceAll(/(?<=\d) ?(am|pm)(?![\w-])/g, ' $1')
    .replaceAll(/(?<!\d)(\d{1,2})\. ?(\d{1,2})\.(?!\d{1,3}(?!\d))/g, (whole, date: string, month: string) =>
      months[Number(month) - 1] === undefined ? whole : `${date} ${months[Number(month) - 1]} `,
    )
    .replaceAll(/half-past noon|noon and-half/g, '12:30')
    .replaceAll('quarter-past noon', '12:15')
    .replaceAll('quarter-to noon', '11:45')
    .replaceAll(/half-past (\d{1,2})(?: (?:hour|oclock))?(?![\d:])/g, '$1:30')
    .replaceAll(/half-to (\d{1,2})(?![\d:])/g, (_, hour: string) => `${(Number(hour) + 11) % 12 || 12}:30`)
    .replaceAll(/quarter-past (\d{1,2})(?![\d:])/g, '$1:15')
    .replaceAll(/quarter-to (\d{1,2})(?![\d:])/g, (_, hour: string) => `${(Number(hour) + 11) % 12 || 12}:45`)
    .replaceAll(/(\d:\d{2}) oclock/g, '$1')
    .replaceAll(/(\d{1,2}) oclock and-half/g, '$1:30')
    .replaceAll(/(\d{1,2}) oclock (\d{2})(?: minute)?(?![\d:])/g, '$1:$2')
    .replaceAll(/(\d{1,2}) oclock/g, '$1:00')
    .replaceAll(/at (\d{1,2})[.h](\d{2})(?!\d)/g, '$1:$2')
    .replaceAll(/at (\d{1,2}) hour and-half/g, '$1:30')
    .replaceAll(/at (\d{1,2}) hour (\d{2})(?!\d)/g, '$1:$2')
    .replaceAll(/at (\d{1,2}) hour/g, '$1:00')
    .replaceAll(/at (\d{1,2}) and-half/g, '$1:30')
    .replaceAll(/at (\d{1,2})(?![\d:.])/g, '$1:00');
}

/** The one time of day in the words, "unclear" where it is invalid or not one, and the words without it. */
export function takeTime(words: string): { readonly rest: string; readonly time?: Time | 'unclear' } {
  const spelled = spellTimes(words);
  // "20 pm 3:00" is a day and a time.
  const clock = /\d:\d{2}/.test(spelled)
    ? spelled
    : spelled.replaceAll(/(?<![\d:])(\d{1,2}) ?(am|pm)(?!\w)/g, '$1:00 $2');
  const parts = [...clock.matchAll(/(?<![\w-])(am|pm|morning|afternoon|evening|night|noon)(?![\w-])/g)];
  const times = [...clock.matchAll(/(?<![\d:])(\d{1,2}):(\d{2})(?![\d:])/g)];
  const rest = clock
    .replaceAll(/(?<![\w-])(?:am|pm|morning|afternoon|evening|night|noon)(?![\w-])/g, ' ')
    .replaceAll(/(?<![\d:])\d{1,2}:\d{2}(?![\d:])/g, ' ');
  if (parts.length > 1 || times.length > 1) return { rest, time: 'unclear' };
  const part = parts[0]?.[1];
  if (!times[0]) return part === undefined ? { rest } : { rest, time: defaultTimes[part] ?? 'unclear' };
  const [hour, minute] = [Number(times[0][1]), Number(times[0][2])];
  return { rest, time: hour < 24 && minute < 60 ? inPart({ hour, minute }, part) : 'unclear' };
}

/** Times for texts that name only a part of the day. */
export const defaultTimes: { readonly [part: string]: Time } = {
  morning: { hour: 9, minute: 0 },
  noon,
  afternoon: { hour: 15, minute: 0 },
  evening: { hour: 20, minute: 0 },
  night: { hour: 22, minute: 0 },
};

/** "8 in the evening" is 20:00. Contradictions are unclear, and so is the night that "2 at night" belongs to. */
export function inPart({ hour, minute }: Time, part: string | undefined): Time | 'unclear' {
  const later = { hour: hour < 12 ? hour + 12 : hour, minute };
  switch (part) {
    case undefined:
      return { hour, minute };
    case 'am':
      return hour > 12 ? 'unclear' : { hour: hour % 12, minute };
    case 'morning':
      return hour > 11 ? 'unclear' : { hour, minute };
    case 'pm':
      return later;
    case 'afternoon':
      return later.hour > 20 ? 'unclear' : later;
    case 'noon':
      return hour === 12 ? { hour, minute } : hour < 4 ? later : 'unclear';
    case 'evening':
      return hour === 12 || later.hour < 16 ? 'unclear' : later;
    default:
      return hour === 12 || later.hour < 18 ? 'unclear' : later;
  }
}
