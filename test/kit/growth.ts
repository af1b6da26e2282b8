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

/** Between once and four times. */
const limit = 2.5;

/**
 * Expects that four times the size takes about as long as four times the work: by the square of its size it would take
 * four times as long. Both leave the same garbage. `size` is the smaller one.
 */
export async function expectLinear(
  work: (size: number) => unknown,
  size: number,
  about?: string,
): Promise<void> {
  const times = await growth(
    async () => {
      for (let part = 0; part < 4; part++) await work(size);
    },
    () => work(4 * size),
    limit,
  );
  expect(times, about).toBeLessThan(limit);
}
