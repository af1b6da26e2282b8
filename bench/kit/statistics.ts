/** The value that a share of the values (0 to 1) doesn't exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Milliseconds of wall time that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of processor time that `work` takes, also on a machine that is busy with something else. */
export async function cpuTimed(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Runs every side once per round, one after the other, so that other load on the machine affects all of them equally.
 * Returns each side's figures, without the first round, which only warms up.
 */
export async function interleaved<Side extends string, Figure>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<Figure>>>,
): Promise<Record<Side, Figure[]>> {
  const names = Object.keys(sides) as Side[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Side, Figure[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const figure = await sides[name]();
      if (round > 0) figures[name].push(figure);
    }
  }
  return figures;
}
