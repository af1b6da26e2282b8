import { expect, test } from 'vitest';
import { readMoment, showMoment } from '../../../../plugins/builtin-core/schedule/moment.ts';
import { phrases } from './phrases.ts';

const zone = 'Europe/Berlin';
const now = Date.parse('2026-05-06T10:15:00+02:00');
const read = async (text: string): Promise<string> =>
  showMoment((await readMoment(text, zone, now)).at, zone);

test.for(phrases)('%s is %s', async ([text, moment]) => {
  expect(await read(text)).toContain(moment);
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
  ['2028-02-29', 'Tue, 29 Feb 2028, 12:00', false],
  ['29 February 2028', 'Tue, 29 Feb 2028, 12:00', false],
  ['29. Februar 2028', 'Tue, 29 Feb 2028, 12:00', false],
  ['2028年2月29日', 'Tue, 29 Feb 2028, 12:00', false],
  ['monday', 'Mon, 11 May 2026, 12:00', false],
  ['2028-02-29T00:00', 'Tue, 29 Feb 2028, 00:00', true],
  ['tomorrow', 'Thu, 7 May 2026, 10:15', false],
  ['三天后', 'Sat, 9 May 2026, 10:15', false],
  ['in 3 hours', 'Wed, 6 May 2026, 13:15', true],
] as const)('%s is %s, and says whether its time of day was said', async ([text, moment, isTimed]) => {
  expect(await read(text)).toBe(moment);
  expect((await readMoment(text, zone, now)).isTimed).toBe(isTimed);
});

test.for([
  'half ten',
  'tomorrow at 25:00',
  'tomorrow at 2 at night',
  'tomorrow morning at 15:00',
  '29 february 2027',
  '31 april',
  'morgen um halb',
  'in 3 Tagen oder so',
  'manana at neun Uhr tomorrow',
  '13月5日',
  'dans 3 jours demain',
  'every 7 minutes',
  'every now and then',
])('%s is refused, with what is possible', async (text) => {
  await expect(read(text)).rejects.toThrow(/is no moment that can be read. Write .*cron expression/);
});

test.for([
  ['tonight at midnight', 'Thu, 7 May 2026, 00:00'],
  ['12:30 am tomorrow', 'Thu, 7 May 2026, 00:30'],
  ['in 2 Stunden und 30 Minuten', 'Wed, 6 May 2026, 12:45'],
  ['dans 2h', 'Wed, 6 May 2026, 12:15'],
  ['5月20日の午後3時', 'Wed, 20 May 2026, 15:00'],
  ['3.12. 18 Uhr', 'Thu, 3 Dec 2026, 18:00'],
  ['monday next week', 'Mon, 11 May 2026, 12:00'],
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
