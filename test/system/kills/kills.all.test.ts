import { expect, test } from 'vitest';
import { killRepeatedly } from '../../kit/kills/lives.ts';

/** PEGBOARD_SOAK_SEEDS=2000 kills more often, PEGBOARD_SOAK_FROM=17 begins with that seed. */
const seeds = Number(process.env['PEGBOARD_SOAK_SEEDS'] ?? 40);
const from = Number(process.env['PEGBOARD_SOAK_FROM'] ?? 1);

test(
  `killed with SIGKILL at ${seeds} random moments, no acknowledged write is lost and no schedule runs twice`,
  { timeout: seeds * 3_000 },
  async () => {
    const tally = await killRepeatedly({ seeds: Array.from({ length: seeds }, (_, at) => from + at) });
    expect(tally.violations).toEqual([]);
    expect(tally).toMatchObject({ kills: seeds });
    expect(tally.acknowledged).toBeGreaterThan(seeds);
    expect(tally.fires).toBeGreaterThan(seeds);
    expect(tally.cutOff, 'some schedules were cut off in the middle').toBeGreaterThan(0);
  },
);
