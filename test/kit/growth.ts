import { expect } from 'vitest';

type Work = () => unknown;

/**
 * The processor time of `large` as a multiple of that of `small`, each at its fastest: unlike a number of seconds, it is
 * the same on every machine and under any load. Both run in turns, until the multiple is less than `enough`. Two
 * milliseconds count as nothing.
 */
export async function growth(small: Work, large: Work, enough = 0): Promise<number> {
  let [smallMicros, largeMicros] = [Infinity, Infinity];
  for (let turn = 0; turn < maxTurns && largeMicros >= enough * smallMicros; turn++) {
    // The large one first: it compiles the code for both.
    largeMicros = Math.min(largeMicros, await microsOf(large));
    for (let again = 0; again < 3; again++) smallMicros = Math.min(smallMicros, await microsOf(small));
  }
  return largeMicros / smallMicros;
}

const maxTurns = 8;
/** Added to both: at less than this, compiling, collected garbage and the clock decide the ratio. */
const overheadMicros = 2_000;

/** Of the whole process: Linux knows the time of a single thread only to four milliseconds. */
async function microsOf(work: Work): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return overheadMicros + user + system;
}

/**
 * Expects that four times the size takes about four times as long: the square of it would be 16. `size` is the smaller
 * one.
 */
export async function expectLinear(
  work: (size: number) => unknown,
  size: number,
  about?: string,
): Promise<void> {
  const times = await growth(
    () => work(size),
    () => work(4 * size),
    8,
  );
  expect(times, about).toBeLessThan(8);
}
