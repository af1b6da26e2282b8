import { stemmer } from 'stemmer';
import { memoize } from '../ranking/memoize.ts';

/** What Porter's rules would make another word of. */
const exceptions = new Map([['news', 'news']]);

/** "translating", "translates" and "translated" are one. Takes a lower-case token. */
export const stem = memoize((word) => exceptions.get(word) ?? stemmer(word));
