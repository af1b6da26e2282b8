import { randomFrom } from './random.ts';

/** A repeatable source of choices. */
export interface Random {
  readonly seed: number;
  /** At least 0, below `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Between `from` and `to` of them. */
  list<T>(from: number, to: number, make: () => T): T[];
}

/** `FUZZ_SEED=…` repeats the run of a failure, which names its seed. */
export function createRandom(standard: number): Random {
  const seed = Number(process.env['FUZZ_SEED'] ?? standard);
  const next = randomFrom(seed);
  const below = (end: number): number => Math.floor(next() * end);
  return {
    seed,
    below,
    chance: (probability) => next() < probability,
    pick: (from) => from[below(from.length)]!,
    list: (from, to, make) => Array.from({ length: from + below(to - from + 1) }, make),
  };
}

/** `npm run fuzz` does it so many times as often as the normal suite. */
export const effort = Number(process.env['FUZZ_EFFORT'] ?? 1);
