import { nearest } from './nearest.ts';

export interface UnknownMember {
  readonly name: string;
  /** The known member that it may be a misspelling of. */
  readonly nearest: string | undefined;
}

/** The members of a type. Typed as a record of its keys, so that a missing or extra one fails to compile. */
export type MembersOf<T> = Readonly<Record<keyof T, true>>;

/** The own enumerable members of `value` that `known` doesn't list. */
export const unknownMembers = (
  value: object,
  known: Readonly<Record<string, true>>,
): readonly UnknownMember[] =>
  Object.keys(value)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => ({ name, nearest: nearest(name, Object.keys(known))[0] }));
