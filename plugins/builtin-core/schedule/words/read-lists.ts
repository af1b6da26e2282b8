import { months, weekdays } from './language.ts';
import type { Tokens } from './tokens.ts';

/** "1 and 15", "1 to 5", "last". */
export function readOrdinals(tokens: Tokens): string[] {
  const found: string[] = [];
  for (;;) {
    const begun = tokens.position();
    if (found.length > 0 && tokens.take('and', ',') === undefined) return found;
    if (found.length > 0) tokens.take('every');
    const number = tokens.takeNumber() ?? (tokens.take('last') && 'L');
    if (number === undefined) {
      tokens.goTo(begun);
      return found;
    }
    found.push(number);
    const last = tokens.take('to') ? Number(tokens.takeNumber()) : 0;
    for (let next = Number(number) + 1; next <= Math.min(last, 31); next++) found.push(String(next));
  }
}

export const namedDays: { readonly [name: string]: readonly number[] } = {
  weekday: [1, 2, 3, 4, 5],
  weekend: [6, 7],
  ...Object.fromEntries(weekdays.map((name, index) => [name, [index + 1]])),
};

export const readWeekdays = (tokens: Tokens): number[] => readList(tokens, namedDays, 7);

const namedMonths = Object.fromEntries(months.map((name, index) => [name, [index + 1]]));
export const readMonths = (tokens: Tokens): number[] => readList(tokens, namedMonths, 12);

/** Names in lists and ranges, which may go over the end of a week or year. */
function readList(tokens: Tokens, names: typeof namedDays, length: number): number[] {
  const found: number[] = [];
  for (;;) {
    const begun = tokens.position();
    while (found.length > 0 && tokens.take('and', ',', 'every'));
    const members = names[tokens.peek()];
    if (!members || (found.length > 0 && tokens.position() === begun)) {
      tokens.goTo(begun);
      return found;
    }
    tokens.take(tokens.peek());
    found.push(...members);
    if (!tokens.take('to')) continue;
    tokens.take('every');
    const last = names[tokens.peek()];
    if (last?.length !== 1 || members.length !== 1 || last[0] === members[0]) return [];
    tokens.take(tokens.peek());
    for (let next = members[0]!; next !== last[0]; found.push(next)) next = (next % length) + 1;
  }
}
