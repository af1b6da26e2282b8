import { expect, test } from 'vitest';
import { expectLinear, growth } from './growth.ts';

const steps = (count: number): number => {
  let sum = 0;
  for (let step = 0; step < count; step++) sum += Math.sqrt(step);
  return sum;
};

test('work by the square of its size is found, and work by its size is not', async () => {
  await expectLinear((size) => steps(10_000 * size), 200);
  await expect(expectLinear((size) => steps(10 * size * size), 500)).rejects.toThrow('to be less than 2.5');
});

test('what a piece of work awaits counts, and the time in which it waits does not', async () => {
  const waiting = (ms: number) => async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    steps(1_000_000);
  };
  expect(await growth(waiting(1), waiting(50), 8)).toBeLessThan(8);
});
