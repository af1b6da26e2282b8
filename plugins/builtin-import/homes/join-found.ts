import type { Found } from './foreign-home.ts';

export const joinFound = <T>(parts: readonly Found<T>[]): Found<T> => ({
  taken: parts.flatMap(({ taken }) => taken),
  leftOut: parts.flatMap(({ leftOut }) => leftOut),
});
