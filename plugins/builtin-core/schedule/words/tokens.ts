import { spellTimes } from './read-time.ts';

/** The words of a phrase, one after the other. */
export interface Tokens {
  /** The next word, or one `ahead` of it. Empty at the end. */
  peek(ahead?: number): string;
  /** Takes the next word if it is one of these. */
  take(...words: readonly string[]): string | undefined;
  /** Takes the next word if it is a number of at most four digits. */
  takeNumber(): string | undefined;
  position(): number;
  goTo(position: number): void;
  rest(): string;
  isDone(): boolean;
}

/** Undefined for texts with other signs than those of words, numbers, times and lists. */
export function createTokens(words: string): Tokens | undefined {
  const joined = spellTimes(words)
    .replaceAll(/(?<=[a-z\d]) ?\/ ?(?=[a-z\d])|&/g, ' and ')
    .replaceAll(/(?<=\s|[\d])[-–](?=\s|[\d])/g, ' to ')
    .replaceAll(/(?<![\w-])(?:through|till|until)(?![\w-])/g, 'to')
    .replaceAll(/(?<![\w-])(?:the|on|at)(?![\w-])/g, ' ')
    .replaceAll(/, and(?![\w-])/g, ' and')
    .replace(/[.!]\s*$/, '');
  const all = joined.match(/\d{1,2}:\d{2}|\d+(?:[.,]\d+)?(?!\w)|[a-z]+(?:-[a-z]+)*|\S/g) ?? [];
  if (!all.every((token) => /^(?:[\d:]+|\d+[.,]\d+|[a-z-]+|,)$/.test(token))) return undefined;
  let at = 0;
  const take = (fits: boolean): string | undefined => (fits ? all[at++] : undefined);
  return {
    peek: (ahead = 0) => all[at + ahead] ?? '',
    take: (...expected) => take(expected.includes(all[at] ?? '')),
    takeNumber: () => take(/^\d{1,4}(?:[.,]5)?$/.test(all[at] ?? ''))?.replace(',', '.'),
    position: () => at,
    goTo: (position) => (at = position),
    rest: () => all.slice(at).join(' '),
    isDone: () => at >= all.length,
  };
}
