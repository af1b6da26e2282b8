import { stemmer } from 'stemmer';
import { memoize } from '../ranking/memoize.ts';

/** Words that Porter's rules would stem wrongly. */
const exceptions = new Map([['news', 'news']]);

/** "translating", "translates" and "translated" have the same stem. Takes a lowercase token. */
export const stem = memoize((word) => exceptions.get(word) ?? stemmer(word));
