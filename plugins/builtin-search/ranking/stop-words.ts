import words from './stop-words.json' with { type: 'json' };

const setOf = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

/** Words that say nothing about what is wanted. Dropped from tools and requests. */
export const stopWords = setOf(words.stopWords);

/** Words that ask, not words for what is asked. They count little in a request, and fully in a tool. */
export const requestWords = setOf(words.requestWords);

/** Actions of nearly every tool: sharing only these with a request is no match. */
export const actionWords = setOf(words.actionWords);

/** The words of a request that only wants to see a file or page: "show me the first lines of notes.txt". */
export const lookingWords = setOf(words.lookingWords);

/**
 * Everyday words. They count less when deciding whether a tool answers a request at all, and fully when tools are
 * compared.
 */
export const ordinaryWords = setOf(words.ordinaryWords);

/** German, Dutch, French, Spanish, Portuguese and Italian function words. Some of them are meaningful English words. */
export const fillerWords = setOf(words.fillerWords);
