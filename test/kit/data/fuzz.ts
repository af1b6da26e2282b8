import { rounds } from '../run/tiers.ts';
import { randomFrom } from './random.ts';

/** A repeatable source of choices. */
export interface Random {
  readonly seed: number;
  /** An integer from 0 up to, but not including, `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** A random number of items, between `from` and `to`. */
  list<T>(from: number, to: number, make: () => T): T[];
}

/** `FUZZ_SEED=…` repeats the run of a failure, whose message contains the seed. */
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

/** Multiplies the number of runs. `npm run fuzz` sets it. */
export const effort = Number(process.env['FUZZ_EFFORT'] ?? rounds({ usual: 0.1, all: 1, soak: 20 }));
