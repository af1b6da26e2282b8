import { writtenText } from './written-numbers.ts';

export type Members = Readonly<Record<string, unknown>>;

/** Members of what may be an object; of anything else, none. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text, number or truth value as text; of anything else, nothing. */
export const wordOf = (value: unknown): string =>
  ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value).trim() : '';

/** The same of a member: a number as it was written. */
export const wordIn = (members: Members, name: string): string =>
  typeof members[name] === 'number' ? writtenText(members, name) : wordOf(members[name]);

export const trimmedText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
