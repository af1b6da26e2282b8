import { expect, test } from 'vitest';
import { readMoment, showMoment } from '../../../../plugins/builtin-core/schedule/moment.ts';
import { readWhen } from '../../../../plugins/builtin-core/schedule/read-when.ts';
import { phrases } from './phrases.ts';

const zone = 'Europe/Berlin';
const now = Date.parse('2026-05-06T10:15:00+02:00');
const read = async (text: string): Promise<string> =>
  showMoment((await readMoment(text, zone, now)).at, zone);

const unreadable =
  /can't be read as a date and time(?:: the word "\w+" is not understood there)?\. Write .*cron expression/;

test.for(phrases)('%s is %s', async ([text, moment]) => {
  expect(await read(text)).toContain(moment);
});

test.for([
  ['first tuesday of november at 9', 'Tue, 3 Nov 2026, 09:00'],
  ['the first tuesday of november', 'Tue, 3 Nov 2026, 12:00'],
  ['the last friday in march at 18:30', 'Fri, 26 Mar 2027, 18:30'],
  ['the second monday of may at 7', 'Mon, 11 May 2026, 07:00'],
] as const)('%s is one moment', async ([text, moment]) => {
  expect(await read(text)).toContain(moment);
  expect(await readWhen(text, zone, now)).toEqual({ runAt: text });
});

test.for([
  ['every day at 9', '0 9 * * *'],
  ['every monday at 8:30', '30 8 * * 1'],
  ['weekdays at 7', '0 7 * * 1-5'],
  ['every 15 minutes', '*/15 * * * *'],
  ['every weekday at 18:30', '30 18 * * 1-5'],
  ['every 2 hours', '0 */2 * * *'],
  ['daily at noon', '0 12 * * *'],
  ['every tuesday and thursday at 10', '0 10 * * 2,4'],
  ['on mondays at 9', '0 9 * * 1'],
  ['every weekday at 8pm', '0 20 * * 1-5'],
  ['every day at 8:30pm', '30 20 * * *'],
  ['every monday at 8:30am', '30 8 * * 1'],
  ['every monday 9:15am', '15 9 * * 1'],
  ['every day at 12:30 p.m.', '30 12 * * *'],
  ['mondays and thursdays at 18:30', '30 18 * * 1,4'],
  ['monday to friday at 8', '0 8 * * 1-5'],
  ['every fri-sun at 8pm', '0 20 * * 5-7'],
  ['every morning at 7', '0 7 * * *'],
  ['every night at 10', '0 22 * * *'],
  ['every weekend', '0 9 * * 6,0'],
  ['every 1st of the month at 9', '0 9 1 * *'],
  ['first of every month', '0 9 1 * *'],
  ['monthly on the 15th at 9am', '0 9 15 * *'],
  ['every 2 months', '0 9 1 2,4,6,8,10,12 *'],
  ['jeden Abend um 8', '0 20 * * *'],
  ['tous les matins à 7h', '0 7 * * *'],
  ['du lundi au vendredi à 8h', '0 8 * * 1-5'],
  ['tous les quinze jours à 9h', 'R/2026-05-11T09:00/P2W'],
  ['todas las mañanas a las 7', '0 7 * * *'],
  ['cada quince días', 'R/2026-05-11T09:00/P2W'],
  ['de segunda a sexta às 8', '0 8 * * 1-5'],
  ['dal lunedì al venerdì alle 8', '0 8 * * 1-5'],
  ['every 24 december at noon', '0 12 24 12 *'],
  ['jeden Tag um 9', '0 9 * * *'],
  ['tous les jours à 9h', '0 9 * * *'],
  ['todos los días a las 9', '0 9 * * *'],
  ['todos os dias às 9', '0 9 * * *'],
  ['ogni giorno alle 9', '0 9 * * *'],
  ['elke dag om 9 uur', '0 9 * * *'],
  ['каждый день в 9', '0 9 * * *'],
  ['щодня о 9', '0 9 * * *'],
  ['毎日9時', '0 9 * * *'],
  ['每天上午9点', '0 9 * * *'],
] as const)('%s comes again and again, by %s', async ([text, cron]) => {
  await expect(read(text)).rejects.toThrow(`Give the cron expression "${cron}" instead.`);
});

test.for([
  ['2028-02-29', 'Tue, 29 Feb 2028, 12:00', 'noon'],
  ['2028/2/29', 'Tue, 29 Feb 2028, 12:00', 'noon'],
  ['2028/02/29 09:00', 'Tue, 29 Feb 2028, 09:00', undefined],
  ['29 February 2028', 'Tue, 29 Feb 2028, 12:00', 'noon'],
  ['29. Februar 2028', 'Tue, 29 Feb 2028, 12:00', 'noon'],
  ['2028年2月29日', 'Tue, 29 Feb 2028, 12:00', 'noon'],
  ['monday', 'Mon, 11 May 2026, 12:00', 'noon'],
  ['first of june', 'Mon, 1 Jun 2026, 12:00', 'noon'],
  ['2028-02-29T00:00', 'Tue, 29 Feb 2028, 00:00', undefined],
  ['tomorrow', 'Thu, 7 May 2026, 10:15', 'now'],
  ['tomorrow at 9', 'Thu, 7 May 2026, 09:00', undefined],
  ['三天后', 'Sat, 9 May 2026, 10:15', undefined],
  ['in 2 months', 'Mon, 6 Jul 2026, 10:15', undefined],
  ['in 2 quarters', 'Fri, 6 Nov 2026, 10:15', undefined],
  ['in 3 hours', 'Wed, 6 May 2026, 13:15', undefined],
] as const)('%s is %s, and says which time of day was chosen for it', async ([text, moment, assumed]) => {
  expect(await read(text)).toBe(moment);
  expect((await readMoment(text, zone, now)).assumed).toBe(assumed);
});

test.for([
  ['last friday', 'Fri, 1 May 2026, 12:00'],
  ['last monday at 9', 'Mon, 4 May 2026, 09:00'],
  ['last wednesday', 'Wed, 29 Apr 2026, 12:00'],
  ['past friday', 'Fri, 1 May 2026, 12:00'],
  ['this past friday', 'Fri, 1 May 2026, 12:00'],
  ['previous friday at 9', 'Fri, 1 May 2026, 09:00'],
  ['friday last week', 'Fri, 1 May 2026, 12:00'],
  ['monday this week', 'Mon, 4 May 2026, 12:00'],
  ['这周一', 'Mon, 4 May 2026, 12:00'],
  ['this morning', 'Wed, 6 May 2026, 09:00'],
  ['last night', 'Tue, 5 May 2026, 22:00'],
  ['yesterday', 'Tue, 5 May 2026, 10:15'],
  ['the day before yesterday', 'Mon, 4 May 2026, 10:15'],
  ['last month', 'Mon, 6 Apr 2026, 10:15'],
  ['2 days ago', 'Mon, 4 May 2026, 10:15'],
  ['an hour ago', 'Wed, 6 May 2026, 09:15'],
] as const)('%s lies in the past: %s', async ([text, moment]) => {
  expect(await read(text)).toBe(moment);
});

test.for([
  'last weekend',
  'this week',
  'this month',
  'weekday',
  'next 2 weeks',
  'past 2 days',
  'within 2 days',
  'for 2 days',
  'since monday',
  'before friday',
  'every now and then',
  '8-may-2026',
  '8 may 2026 BC',
  'in a few days',
  'in several hours',
  'every quarter past',
])('%s is no moment, and is not taken for one', async (text) => {
  await expect(read(text)).rejects.toThrow(unreadable);
});

test.for([
  ['31 February', 'that day does not exist'],
  ['29 february 2027', 'that day does not exist'],
  ['31. April', 'that day does not exist'],
  ['2026-02-29', 'that day does not exist'],
  ['2026-02-30T09:00Z', 'that day does not exist'],
  ['2026-05-01T25:00', 'that time of day does not exist'],
  ['5/6', '5/6 is two days. Write "5 June" or "6 May"'],
  ['tomorrow 5/6 at 9', '5/6 is two days'],
  ['the 15th of the month', 'it is a day of one month or of each. Write "day 15 of every month"'],
  ['Friday, December 24, 2026 at 6:00 PM', 'that day is a Thursday, not a Friday'],
  ['in 101 years', 'it is more than 100 years from now'],
  ['in 9999 years', 'it is more than 100 years from now'],
  ['in 99999999 years', 'it is more than 100 years from now'],
  ['in 99999999999999999999 minutes', 'it is more than 100 years from now'],
  ['20 May 9999', 'it is more than 100 years from now'],
  ['9999-01-01', 'it is more than 100 years from now'],
  ['9999-01-01T00:00:00Z', 'it is more than 100 years from now'],
] as const)('%s is refused, saying that %s', async ([text, reason]) => {
  await expect(read(text)).rejects.toThrow(`"${text}" can't be read as a date and time: ${reason}.`);
});

test('a word that no time has is named', async () => {
  await expect(read('every monday without holidays at 9')).rejects.toThrow(
    'the word "without" is not understood there. Write',
  );
});

test.for([
  'half ten',
  'tomorrow at 25:00',
  'tomorrow at 2 at night',
  'tomorrow morning at 15:00',
  'morgen um halb',
  'in 3 Tagen oder so',
  'manana at neun Uhr tomorrow',
  '13月5日',
  'dans 3 jours demain',
  'every 7 seconds',
])('%s is refused, with what is possible', async (text) => {
  await expect(read(text)).rejects.toThrow(unreadable);
});

test.for([
  ['tonight at midnight', 'Thu, 7 May 2026, 00:00'],
  ['12:30 am tomorrow', 'Thu, 7 May 2026, 00:30'],
  ['in 2 Stunden und 30 Minuten', 'Wed, 6 May 2026, 12:45'],
  ['dans 2h', 'Wed, 6 May 2026, 12:15'],
  ['5月20日の午後3時', 'Wed, 20 May 2026, 15:00'],
  ['3.12. 18 Uhr', 'Thu, 3 Dec 2026, 18:00'],
  ['monday next week', 'Mon, 11 May 2026, 12:00'],
  ['in 0 minutes', 'Wed, 6 May 2026, 10:15'],
  ['in 99 years', 'Sun, 6 May 2125, 10:15'],
  ['heute in einer Woche', 'Wed, 13 May 2026, 10:15'],
  ['morgen in einem Monat um 9', 'Sun, 7 Jun 2026, 09:00'],
  ['vandaag over een week', 'Wed, 13 May 2026, 10:15'],
  ['hoy en una semana', 'Wed, 13 May 2026, 10:15'],
  ['dans une quinzaine', 'Wed, 20 May 2026, 10:15'],
  ['en una quincena', 'Wed, 20 May 2026, 10:15'],
  ['demain à midi et demi', 'Thu, 7 May 2026, 12:30'],
  ['demain à midi et quart', 'Thu, 7 May 2026, 12:15'],
  ['amanhã ao meio-dia e meia', 'Thu, 7 May 2026, 12:30'],
  ['domani a mezzogiorno e mezzo', 'Thu, 7 May 2026, 12:30'],
  ['大后天上午9点', 'Sat, 9 May 2026, 09:00'],
  ['明々後日の9時', 'Sat, 9 May 2026, 09:00'],
  ['20h', 'Wed, 6 May 2026, 20:00'],
  ['tomorrow 20h', 'Thu, 7 May 2026, 20:00'],
  ['friday at 08h30', 'Fri, 8 May 2026, 08:30'],
  ['in 20h', 'Thu, 7 May 2026, 06:15'],
  ['2h', 'Wed, 6 May 2026, 12:15'],
  ['1 day 20h', 'Fri, 8 May 2026, 06:15'],
  ['48h', 'Fri, 8 May 2026, 10:15'],
  ['Thursday, December 24, 2026 at 6:00 PM', 'Thu, 24 Dec 2026, 18:00'],
  ['Thursday, December 24, 2026 at 6:00 PM (Europe/Berlin)', 'Thu, 24 Dec 2026, 18:00'],
  ['Thursday, December 24, 2026 at 6:00 PM (America/New_York)', 'Fri, 25 Dec 2026, 00:00'],
  ['Thu, 24 Dec 2026, 18:00', 'Thu, 24 Dec 2026, 18:00'],
  ['Donnerstag, 24. Dezember 2026 um 18 Uhr', 'Thu, 24 Dec 2026, 18:00'],
  ['at 9:00 GMT+2', 'Thu, 7 May 2026, 09:00'],
  ['friday 9am UTC', 'Fri, 8 May 2026, 11:00'],
] as const)('%s is %s', async ([text, moment]) => {
  expect(await read(text)).toBe(moment);
});

test('a weekday is today while it is still to come, a time of day alone the next one', async () => {
  expect(await read('wednesday at 11')).toBe('Wed, 6 May 2026, 11:00');
  expect(await read('wednesday at 9')).toBe('Wed, 13 May 2026, 09:00');
  expect(await read('next wednesday at 11')).toBe('Wed, 13 May 2026, 11:00');
  expect(await read('at 11')).toBe('Wed, 6 May 2026, 11:00');
  expect(await read('at 10')).toBe('Thu, 7 May 2026, 10:00');
});
